// Why something was set aside, in plain words.

import { shorten } from "/ui/words.js";

const REASONS = {
  "quote-not-found": "these words do not stand in what you said",
  "quote-not-one-turn": "its words come from more than one message",
  "number-unlicensed": "you did not say this number",
  "name-unlicensed": "you did not say this name",
  "name-swapped": "it is about somebody else",
  "date-unlicensed": "you did not say this date",
  "negation-changed": "it turns what you said round",
  "content-unsupported": "it says more than you did",
  "too-long": "it is too long for one thing",
  "too-many": "there is too much in one piece",
};

export const why = ({ reason, detail }) => [REASONS[reason] ?? reason, detail && `(${shorten(detail, 80)})`].filter(Boolean).join(" ");
