"""Extract with a language model: what a segment says, as candidates for atoms, or by rules where the model cannot be used.

Guarantees, proved in `tests/pipeline/test_model_extraction.py` and `tests/services/test_model_chaos.py`: at most three calls for
a segment, whatever comes back; nothing is lost when the model is away, slow or answers rubbish, since the rules serve that
segment at once, and say so; and what a model says goes through the same grounding as what the rules say.
"""

from lattice_common.ingest.extract.model.extractor import ExtractionLimits, ModelExtractor

__all__ = ["ExtractionLimits", "ModelExtractor"]
