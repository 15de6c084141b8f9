"""What changed in a folder since it was trusted last (permissions.md §9).

A change that loosens nothing (a rule that denies more, another prompt) keeps the folder trusted, also when it came
while decode was closed; of one that loosens, just the difference is asked about.
"""

from dataclasses import replace

from decode_core.trust.folder import FolderTrust, Standing
from decode_core.trust.loaded import content_loosening, load_content
from decode_core.trust.record import TrustError, TrustRecord


def since_trusted(trust: FolderTrust, record: TrustRecord | None = None) -> FolderTrust:
    """The same folder, compared with the content that was trusted last, if that is known.

    It is trusted as it stands where nothing was loosened, else `loosens` says what was. Never raises.
    """
    record = record or TrustRecord()
    if trust.standing is not Standing.UNTRUSTED or trust.problem or trust.content.refused:
        return trust
    try:
        last = record.last(trust.content)
        if last is None:
            return trust
        before, after = load_content(last, ()), load_content(trust.content, ())
        loosens = content_loosening(before, after)
        if loosens or after.settings.broken or after.broken_agents:
            return replace(trust, loosens=tuple(str(each) for each in loosens))
        record.trust(trust.content)
    except TrustError as error:
        return replace(trust, problem=str(error))
    return replace(trust, standing=Standing.TRUSTED)
