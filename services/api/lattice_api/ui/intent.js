// A guess at what the box will do, shown while typing. Only a display: the server decides, unless the person chose with Tab.

const ASKING = new RegExp(
  "^(who|whose|whom|what|when|where|why|how|which|is|are|was|were|am|do|does|did|can|could|should|would|will|has|had|" +
    "tell me|show me|find|list|remind me (who|what|when|where|why|how|which)|" +
    "wer|wem|wen|was|wann|wo|wohin|woher|warum|wieso|wie|welche[rsmn]?|" +
    "qui|que|quoi|quand|où|pourquoi|comment|combien|quién|qué|cuándo|dónde|cómo|cuánto)\\b",
  "iu",
);
const TELLING = /^(remember|note|remind me to|don['’]t forget|todo|will be|can[’']t|is that so)\b/iu;

/** "ask" or "tell" for what stands in the box. */
export function guess(text) {
  const words = text.trim();
  if (/[?？]["”’)\s]*$/u.test(words)) return "ask";
  if (words.includes("\n") || TELLING.test(words)) return "tell";
  return ASKING.test(words) ? "ask" : "tell";
}
