"""The offline model: answers simple requests by rules, without a network, through the same tools as any model."""

from decode_core.engine.offline.model import OfflineModel, decide

__all__ = ["OfflineModel", "decide"]
