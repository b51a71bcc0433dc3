package io.highwater.storage.log;

import static org.assertj.core.api.Assertions.assertThat;

import java.io.IOException;
import java.nio.file.Path;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

class PartitionLogTest {
    @TempDir
    Path directory;

    @Test
    void whatWasAppendedIsReadBackAfterReopening() throws IOException {
        LogFixture fixture = new LogFixture(directory);
        PartitionLog log = fixture.openClean();

        AppendResult result = fixture.append(log, 3, "a", "b", "c");
        fixture.append(log, 3, "d");
        log.close();
        PartitionLog reopened = fixture.openClean();

        assertThat(result.lastOffset()).isEqualTo(2);
        assertThat(LogFixture.readAll(reopened, 0)).containsExactly("0=a", "1=b", "2=c", "3=d");
        assertThat(reopened.latestEpoch()).isEqualTo(3);
        reopened.close();
    }

    @Test
    void whatWasAppendedIsReadBackAfterACrash() throws IOException {
        LogFixture fixture = new LogFixture(directory);
        PartitionLog log = fixture.openClean();
        fixture.append(log, 3, "a", "b", "c");
        fixture.append(log, 3, "d");
        LogFixture.readAll(log, 0);

        PartitionLog recovered = fixture.openAfterCrash(0);

        assertThat(LogFixture.readAll(recovered, 0)).containsExactly("0=a", "1=b", "2=c", "3=d");
        log.abandon();
        recovered.close();
    }
}
