# highwater cluster: several brokers on this machine, in the background, for trying and testing.
#
#   highwater cluster up [N] [--base-port P]   start N nodes (default 1), return when all are ready; a new cluster's nodes
#                        [--set NAME=VALUE]... also get these settings
#   highwater cluster status                   a line per node: id, pid, state, client address, http address
#   highwater cluster bootstrap                the clients' address list
#   highwater cluster pids                     the running nodes' process ids, comma separated
#   highwater cluster stop ID                  orderly shutdown, return when the process is gone
#   highwater cluster kill ID                  SIGKILL, return when the process is gone
#   highwater cluster pause ID | resume ID     SIGSTOP | SIGCONT
#   highwater cluster start ID                 start again on the same data, return when it is ready
#   highwater cluster down                     stop all; the data stays, and the next up goes on with it
#
# Each takes --dir D (default: HIGHWATER_CLUSTER_DIR, or ./highwater-cluster). Node I serves clients on port P + 10*(I-1),
# its controller is on the next port and HTTP on the one after; P is 9092. Settings of a node: D/node-I/server.properties; its
# log: D/node-I/broker.log. Unless it is created otherwise, a topic has three replicas, or as many as there are nodes, and a write
# with acks=all needs more than half of them.
set -euo pipefail # sourced by `highwater`

# ---- what is known about a node ----

nodes() { # how many; 0 when there is no cluster
    local count
    count=$(sed -n 's/^nodes=//p' "$dir/cluster" 2> /dev/null || true)
    echo "${count:-0}"
}
first_port() { sed -n 's/^base-port=//p' "$dir/cluster"; }
port() { echo $(($(first_port) + 10 * ($1 - 1))); }
pid_file() { echo "$dir/node-$1/pid"; }

# Prints a process's command line; nothing when there is no such process.
command_of() {
    if [ -d /proc/self ]; then
        { tr '\0' ' ' < "/proc/$1/cmdline" || true; } 2> /dev/null # it may end this very moment
    else
        ps -p "$1" -o command= 2> /dev/null || true
    fi
}

# Prints the pid of node ID, if it runs. A number from a file is never trusted: it may be another program's by now.
pid_of() {
    local pid
    pid=$(cat "$(pid_file "$1")" 2> /dev/null) || return 1
    [[ $(command_of "${pid:-0}") == *"-c $dir/node-$1/server.properties"* ]] && echo "$pid"
}

paused() {
    local state
    if [ -d /proc/self ]; then
        state=$(sed -n 's/^State:[[:space:]]*\(.\).*/\1/p' "/proc/$1/status" 2> /dev/null || true)
    else
        state=$(ps -p "$1" -o state= 2> /dev/null || true)
    fi
    [[ $state == T* ]]
}

# True when the node's HTTP door says that it serves.
ready() {
    local answer
    { answer=$(
        exec 3<> "/dev/tcp/127.0.0.1/$(($(port "$1") + 2))" &&
            printf 'GET /readyz HTTP/1.0\r\nHost: localhost\r\n\r\n' >&3 && read -r -t 2 answer <&3 && echo "$answer"
    ); } 2> /dev/null && [[ $answer == *" 200 "* ]]
}

check_id() { # prints nothing, dies unless $1 is a node of this cluster
    local count
    count=$(nodes)
    [ "$count" -gt 0 ] || die "no cluster in $dir: start one with highwater cluster up"
    [ -n "${1:-}" ] || die "which node? Its id is missing: the nodes in $dir are 1 to $count"
    [[ $1 =~ ^[0-9]+$ ]] && [ "$1" -ge 1 ] && [ "$1" -le "$count" ] ||
        die "no node '$1' in $dir: its nodes are 1 to $count"
}

running() { # prints the pid of node ID, dies when it does not run
    check_id "${1:-}"
    pid_of "$1" || die "node $1 is not running"
}

# ---- settings ----

random_uuid() { head -c 16 /dev/urandom | base64 | tr '+/' 'AB' | tr -d '='; }

write_settings() { # ID COUNT
    local id=$1 count=$2 voters='' i
    local replicas=$((count < 3 ? count : 3))
    for ((i = 1; i <= count; i++)); do voters+=${voters:+,}$i@127.0.0.1:$(($(port $i) + 1)); done
    mkdir -p "$dir/node-$id"
    cat > "$dir/node-$id/server.properties" << PROPERTIES
# Node $id of $count, written by highwater cluster up. Changes are kept; they count from the node's next start.
process.roles=broker,controller
node.id=$id
controller.quorum.voters=$voters
controller.listener.names=CONTROLLER
listeners=PLAINTEXT://127.0.0.1:$(port "$id"),CONTROLLER://127.0.0.1:$(($(port "$id") + 1))
listener.security.protocol.map=PLAINTEXT:PLAINTEXT,CONTROLLER:PLAINTEXT
inter.broker.listener.name=PLAINTEXT
log.dirs=$dir/node-$id/data
default.replication.factor=$replicas
min.insync.replicas=$((replicas / 2 + 1))
offsets.topic.replication.factor=$replicas
transaction.state.log.replication.factor=$replicas
transaction.state.log.min.isr=$((replicas / 2 + 1))
share.coordinator.state.topic.replication.factor=$replicas
share.coordinator.state.topic.min.isr=$((replicas / 2 + 1))
highwater.cluster.id=$(sed -n 's/^cluster-id=//p' "$dir/cluster")
highwater.http.port=$(($(port "$id") + 2))
PROPERTIES
    if [ ${#extra[@]} -gt 0 ]; then printf '%s\n' "${extra[@]}" >> "$dir/node-$id/server.properties"; fi
}

# ---- acts ----

launch() { # ID
    local node=$dir/node-$1
    if pid_of "$1" > /dev/null; then return; fi
    (
        cd "$node"
        # A process group of its own: the Ctrl-C that ends a watching shell does not reach the nodes.
        set -m
        "${jvm[@]}" io.highwater.broker.boot.HighwaterMain start -c "$node/server.properties" \
            >> "$node/broker.log" 2>&1 < /dev/null &
        echo $! > "$node/pid"
    )
}

await_ready() { # ID, up to 60 s
    local until=$((SECONDS + 60)) pid
    while [ $SECONDS -lt $until ]; do
        if ! pid=$(pid_of "$1"); then
            tail -n 5 "$dir/node-$1/broker.log" >&2
            die "node $1 did not start: see $dir/node-$1/broker.log; of the others $(running_count) run (highwater cluster down ends them)"
        fi
        if paused "$pid"; then die "node $1 is paused: highwater cluster resume $1"; fi
        if ready "$1"; then return; fi
        sleep 0.1
    done
    die "node $1 was not ready within 60 s: see $dir/node-$1/broker.log"
}

await_gone() { # ID PID, up to 60 s
    local tries
    for ((tries = 1200; tries > 0; tries--)); do
        if [ "$(pid_of "$1")" != "$2" ]; then
            rm -f "$(pid_file "$1")"
            return
        fi
        sleep 0.05
    done
    die "node $1 (pid $2) did not end within 60 s"
}

up() {
    local count=$1 base=$2 known id
    known=$(nodes)
    if [ "$known" -gt 0 ]; then
        [ -z "$count" ] || [ "$count" = "$known" ] || die "$dir holds a cluster of $known nodes: use another --dir"
        [ -z "$base" ] || [ "$base" = "$(first_port)" ] ||
            die "the cluster in $dir is on base port $(first_port): use another --dir, or highwater cluster down and remove it"
        [ ${#extra[@]} -eq 0 ] || die "the nodes in $dir have their settings: change $dir/node-*/server.properties, or use another --dir"
        count=$known
    else
        count=${count:-1}
        mkdir -p "$dir"
        printf '%s\n' "nodes=$count" "base-port=${base:-9092}" "cluster-id=$(random_uuid)" > "$dir/cluster"
    fi
    for ((id = 1; id <= count; id++)); do
        if [ ! -e "$dir/node-$id/server.properties" ]; then write_settings "$id" "$count"; fi
    done
    prepare
    flags
    use_archive
    for ((id = 1; id <= count; id++)); do launch "$id"; done
    for ((id = 1; id <= count; id++)); do await_ready "$id"; done
    status
}

down() {
    local id pid tries left
    for ((id = 1; id <= $(nodes); id++)); do
        if pid=$(pid_of "$id"); then kill -CONT "$pid" && kill "$pid" || true; fi
    done
    for ((tries = 200; tries > 0; tries--)); do
        left=
        for ((id = 1; id <= $(nodes); id++)); do left+=$(pid_of "$id" || true); done
        if [ -z "$left" ]; then break; fi
        sleep 0.05
    done
    for ((id = 1; id <= $(nodes); id++)); do
        # Of a quorum that goes down together, the last one finds nobody to take leave of.
        if pid=$(pid_of "$id"); then kill -9 "$pid" 2> /dev/null || true; fi
        rm -f "$(pid_file "$id")"
    done
}

status() {
    local id pid state
    for ((id = 1; id <= $(nodes); id++)); do
        state=stopped
        if pid=$(pid_of "$id"); then
            if paused "$pid"; then state=paused; elif ready "$id"; then state=ready; else state=starting; fi
        fi
        printf '%s\tpid %s\t%s\t127.0.0.1:%s\thttp://127.0.0.1:%s\n' \
            "$id" "${pid:--}" "$state" "$(port "$id")" "$(($(port "$id") + 2))"
    done
}

each() { # FUNCTION, prints what it prints for every node, comma separated
    local id one all=
    for ((id = 1; id <= $(nodes); id++)); do
        if one=$("$1" "$id"); then all+=${all:+,}$one; fi
    done
    echo "$all"
}

running_count() {
    local id count=0
    for ((id = 1; id <= $(nodes); id++)); do if pid_of "$id" > /dev/null; then count=$((count + 1)); fi; done
    echo "$count"
}

address() { echo "127.0.0.1:$(port "$1")"; }

cluster() {
    local verb=${1:-help} base='' what='' pid one
    extra=()
    dir=${HIGHWATER_CLUSTER_DIR:-highwater-cluster}
    if [ $# -gt 0 ]; then shift; fi
    while [ $# -gt 0 ]; do
        case $1 in
            --dir) [ $# -gt 1 ] || die "--dir needs a folder"; dir=$2; shift 2 ;;
            --dir=*) dir=${1#*=}; shift ;;
            --base-port) [ $# -gt 1 ] || die "--base-port needs a number"; base=$2; shift 2 ;;
            --set) [ $# -gt 1 ] || die "--set needs NAME=VALUE"; extra+=("$2"); shift 2 ;;
            --set=*) extra+=("${1#*=}"); shift ;;
            --base-port=*) base=${1#*=}; shift ;;
            -*) die "cluster $verb does not know $1" ;;
            *) [ -z "$what" ] || die "cluster $verb takes one argument at most: what is '$1'?"; what=$1; shift ;;
        esac
    done
    [[ $dir == /* ]] || dir=$PWD/$dir
    for one in ${extra[@]+"${extra[@]}"}; do [[ $one == *?=* ]] || die "--set takes NAME=VALUE, not '$one'"; done
    [ ${#extra[@]} -eq 0 ] || [ "$verb" = up ] || die "cluster $verb does not know --set"
    [[ $base =~ ^[0-9]*$ ]] || die "--base-port is a number, not '$base'"
    case $verb in
        up) [[ $what =~ ^([1-9]|[1-9][0-9])?$ ]] || die "cluster up takes a number of nodes, 1 to 99, not '$what'"
            up "$what" "$base" ;;
        down) down ;;
        status) [ "$(nodes)" -gt 0 ] || say "no cluster in $dir"
            status ;;
        bootstrap) each address ;;
        pids) each pid_of ;;
        kill) pid=$(running "$what"); kill -9 "$pid"; await_gone "$what" "$pid" ;;
        stop) pid=$(running "$what"); kill -CONT "$pid"; kill "$pid"; await_gone "$what" "$pid" ;;
        pause) pid=$(running "$what"); kill -STOP "$pid" ;;
        resume) pid=$(running "$what"); kill -CONT "$pid" ;;
        start) check_id "$what"; prepare; flags; use_archive; launch "$what"; await_ready "$what" ;;
        help | -h | --help) usage "${BASH_SOURCE[0]}" ;;
        *) die "no such command: cluster $verb (highwater cluster help lists them)" ;;
    esac
}
