"""Lines that the person ran themselves are a part of every export that people read."""

import pytest

from decode_core.events import ShellLineFinished, ShellLineStarted
from decode_core.store.database import Database
from decode_core.store.export import ExportFormat, export
from decode_core.store.records import Records
from decode_core.store.sessions import Sessions
from stored import conversation, store_session


@pytest.mark.parametrize("form", list(ExportFormat))
def test_a_line_of_the_person_is_exported_with_its_output_and_without_secrets(
    database: Database, form: ExportFormat
) -> None:
    line = ShellLineStarted(line_id="l1", command="echo <b>`x`")
    end = ShellLineFinished(
        line_id="l1", exit_code=0, summary="exit 0", text="API_KEY=sk-abcdefghijklmnopqrstuvwxyz0123\n"
    )
    store_session(database, events=[*conversation(), line, end])
    text = export(Records(database), Sessions(database).find("s1"), form).text
    assert "sk-abcdefghijklmnopqrstuvwxyz0123" not in text
    if form is ExportFormat.MARKDOWN:
        assert "### You ran `` echo <b>`x` `` · exit 0" in text
    elif form is ExportFormat.HTML:
        assert "You ran <code>echo &lt;b&gt;`x`</code> · exit 0" in text
    elif form is ExportFormat.SCRIPT:
        assert "echo" not in text, "a script plays the model, not the person"
