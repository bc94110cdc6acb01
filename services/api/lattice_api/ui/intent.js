// A guess at what the box will do, shown while typing. Only a display: the server decides, unless the person chose with Tab.
// The rules are those of lattice_common/recall/intent.py, so that the guess comes true.

const QUESTION_WORDS =
  "who|whom|whose|what|when|where|which|why|how|is|are|am|was|were|do|does|did|can|could|will|would|should|shall|may|might|" +
  "have|has|had|isn't|aren't|wasn't|weren't|don't|doesn't|didn't|can't|won't|what's|who's|where's|when's|how's|whats|wheres";
const ASKS = new RegExp(
  `^(?:(?:and|but|so|ok|okay|hey|well)[,\\s]+)?(?:${QUESTION_WORDS})\\b` +
    "|^(?:tell me|show me|find|search|look up|list|remind me (?:what|when|where|who|how|which)|do you (?:know|remember)|" +
    "summari[sz]e)\\b",
  "i",
);
const TELLS = /^(?:remember|note|save|fyi|don't forget|please (?:remember|note)|for the record|correction|remind me to)\b/i;
const NO_QUESTION =
  /^(?:what (?:a|an)\b|how (?:nice|lovely|great|sad)\b|(?:have|had) (?:to|a|an|been)\b|may \d|will's\b|when i\b|whenever\b|where i\b|which (?:is|was) (?:why|nice)\b)/i;
const QUESTION_MARK = /^[?？؟\u037e]|[?？؟\u037e]$/;

/** "ask" or "tell" for what stands in the box. */
export function guess(text) {
  const words = text.trim();
  if (TELLS.test(words)) return "tell";
  if (QUESTION_MARK.test(words)) return "ask";
  if (words.includes("\n") || NO_QUESTION.test(words)) return "tell";
  return ASKS.test(words) ? "ask" : "tell";
}
