// A guess at what the box will do, shown while typing. Only a display: the server decides, unless the person chose with Tab.
// The rules are those of lattice_common/recall/intent.py, so that the guess comes true; tests/e2e compares the two.

const raw = String.raw;
const END = raw`(?![\p{L}\p{N}_])`; // JavaScript's \b knows no letters but ASCII's
const QUESTION_WORDS =
  "who|whom|whose|what|when|where|which|why|how|is|are|am|was|were|do|does|did|can|could|will|would|should|shall|may|might|" +
  "have|has|had|isn't|aren't|wasn't|weren't|don't|doesn't|didn't|can't|won't|what's|who's|where's|when's|how's|whats|wheres";
const PLEASE = "(?:please |can you |could you |would you |will you )*(?:please )?";
const ELSEWHERE =
  "wer|wem|wen|wessen|wann|wo|woher|wohin|warum|wieso|weshalb|wie (?:hei(?:ß|ss)t|alt|viele?|lange|oft|ist|war|hoch|weit)|" +
  "wie (?:groß|teuer)|welche[rsnm]?|qui|où|pourquoi|combien|quel(?:le)?s?|est-ce|qu['’]est-ce|quién|cuándo|dónde|" +
  "por qué|cómo|cuánt[oa]s?|cuál|" +
  "chi|dove|perché|quant[oaie]|кто|где|куда|почему|зачем|сколько|как зовут|как[ао][йяе]|какие|чей|" +
  `(?:quand|quando|когда)(?! (?:j['’]|(?:je|nous|on|il|elle|ero|eravamo|sono|io|я|мы|он|она|они)${END}))`;
const ASKS = new RegExp(
  raw`^(?:(?:and|but|so|ok|okay|hey|well|und|aber|et|y|e|и|а)[,\s]+)?¿?(?:(?:${QUESTION_WORDS}|${ELSEWHERE})${END}` +
    `|${PLEASE}(?:tell me|show me|give me|find(?! out)|search|look up|list|remind me (?:what|when|where|who|how|which)|` +
    `do you (?:know|remember)|summari[sz]e)${END})`,
  "iu",
);
const TELLS = new RegExp(
  `^${PLEASE}(?:remember|note|save|write down|jot down|keep in mind|remind me to|fyi|don['’]t forget|for the record|` +
    `correction|reminder)${END}` +
    raw`|^(?:(?:kannst|könntest) du )?(?:bitte )?(?:dir )?(?:merken?|merk|notiere?n?|schreib[\p{L}\p{N}_]*)${END}` +
    `|^(?:запомни|запиши|recuerda|anota|souviens-toi|retiens|ricorda|annota)${END}`,
  "iu",
);
const LOOKS_BACK = /^remember (?:when|what|where|who|how|why|which|if|whether|that\?|this\?|it\?)/i;
const AUXILIARY =
  "is|are|am|was|were|do|does|did|will|would|can|could|should|shall|may|might|must|has|have|had|isn['’]t|aren['’]t|" +
  "wasn['’]t|weren['’]t|don['’]t|doesn['’]t|didn['’]t|won['’]t|can['’]t|exactly|else|again|next|not|no|and|or|to|in|on|at|about";
const NO_QUESTION = new RegExp(
  `^(?:what (?:a|an)${END}|how (?:nice|lovely|great|sad)${END}(?! (?:is|are|was|were|do|does|did)${END})|` +
    raw`(?:have|has|had) (?:to|a|an|been)${END}|may \d|will['’]s${END}|whenever${END}|` +
    raw`(?:when|where) (?!(?:${AUXILIARY})${END})[\p{L}\p{N}_]+ [\p{L}\p{N}_]|what i${END}|which (?:is|was) (?:why|nice)${END}|` +
    `which i${END}|who (?:cares|knew|would have)${END}|was für (?:ein|eine)${END}|` +
    `(?:can['’]?t|cannot|couldn['’]?t) (?:believe|find|wait)${END}|could be${END}|would love${END}|will (?:be|call)${END})`,
  "iu",
);
const HEADED = /^[^?:\n]{2,60}:\s+(?=\S)/;
const AGREED = /[,\s]\s{0,3}(?:ok|okay|alright|all right|got it|gell|klar)\s?\?+$/i;
const QUESTION_MARK = /^[?？؟\u037e]|[?？؟\u037e]$/;

/** "ask" or "tell" for what stands in the box. */
export function guess(text) {
  const words = text.trim();
  const marked = QUESTION_MARK.test(words);
  if (TELLS.test(words)) return marked && LOOKS_BACK.test(words) ? "ask" : "tell";
  const agreed = AGREED.exec(words);
  if (agreed) return agreed.index ? guess(words.slice(0, agreed.index)) : "ask";
  if (marked) return "ask";
  const headed = HEADED.exec(words);
  if (headed) return guess(words.slice(headed[0].length));
  if (words.includes("\n") || NO_QUESTION.test(words)) return "tell";
  return ASKS.test(words) ? "ask" : "tell";
}
