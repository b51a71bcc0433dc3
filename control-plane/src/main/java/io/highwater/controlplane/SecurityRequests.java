package io.highwater.controlplane;

import java.util.Map;
import java.util.concurrent.CompletableFuture;
import org.apache.kafka.common.errors.IllegalSaslStateException;
import org.apache.kafka.common.errors.SecurityDisabledException;
import org.apache.kafka.common.message.AlterUserScramCredentialsRequestData;
import org.apache.kafka.common.message.CreateDelegationTokenRequestData;
import org.apache.kafka.common.message.ExpireDelegationTokenRequestData;
import org.apache.kafka.common.message.RenewDelegationTokenRequestData;
import org.apache.kafka.common.protocol.ApiKeys;
import org.apache.kafka.controller.Controller;

/** Credentials, tokens and ACLs. There is no authorizer yet, so ACLs are refused as a Kafka without one refuses them. */
final class SecurityRequests {
    private final Controller controller;

    SecurityRequests(Controller controller) {
        this.controller = controller;
    }

    void addTo(Map<ApiKeys, ControllerApi> apis) {
        apis.put(
                ApiKeys.ALTER_USER_SCRAM_CREDENTIALS,
                call -> controller.alterUserScramCredentials(
                        call.context(), call.body(AlterUserScramCredentialsRequestData.class)));
        apis.put(
                ApiKeys.CREATE_DELEGATION_TOKEN,
                call -> controller.createDelegationToken(
                        call.context(), call.body(CreateDelegationTokenRequestData.class)));
        apis.put(
                ApiKeys.RENEW_DELEGATION_TOKEN,
                call -> controller.renewDelegationToken(
                        call.context(), call.body(RenewDelegationTokenRequestData.class)));
        apis.put(
                ApiKeys.EXPIRE_DELEGATION_TOKEN,
                call -> controller.expireDelegationToken(
                        call.context(), call.body(ExpireDelegationTokenRequestData.class)));
        ControllerApi noAuthorizer =
                call -> CompletableFuture.failedFuture(new SecurityDisabledException("No Authorizer is configured."));
        apis.put(ApiKeys.DESCRIBE_ACLS, noAuthorizer);
        apis.put(ApiKeys.CREATE_ACLS, noAuthorizer);
        apis.put(ApiKeys.DELETE_ACLS, noAuthorizer);
        ControllerApi lateSasl = call -> CompletableFuture.failedFuture(
                new IllegalSaslStateException("SASL request received after successful authentication"));
        apis.put(ApiKeys.SASL_HANDSHAKE, lateSasl);
        apis.put(ApiKeys.SASL_AUTHENTICATE, lateSasl);
    }
}
