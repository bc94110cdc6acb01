// Dictation, where the browser turns speech into words on this very machine: what is said aloud is sent to nobody.

const Recognition = self.SpeechRecognition ?? self.webkitSpeechRecognition;
const HERE = { langs: [navigator.language], processLocally: true };

export class Dictation {
  /** `heard` gets the words of each phrase; `changed` is called when it begins or ends. */
  constructor(heard, changed) {
    Object.assign(this, { heard, changed, there: false, listening: false, problem: "" });
    void this.look();
  }

  async look() {
    const state = await Recognition?.available?.(HERE).catch(() => "unavailable");
    this.there = state === "available" || state === "downloadable";
    this.wanting = state === "downloadable";
    if (this.there) this.changed();
  }

  async toggle() {
    if (this.listening) return this.recognition.stop();
    if (this.wanting) this.wanting = !(await Recognition.install(HERE));
    const recognition = (this.recognition = new Recognition());
    Object.assign(recognition, { lang: navigator.language, processLocally: true, continuous: true });
    recognition.onresult = ({ results, resultIndex }) => {
      for (const result of [...results].slice(resultIndex)) if (result.isFinal) this.heard(result[0].transcript.trim());
    };
    recognition.onerror = ({ error }) => (this.problem = error === "not-allowed" ? "This page may not use the microphone: allow it in the browser." : `Nothing was understood (${error}). Try again.`);
    recognition.onend = () => this.turn(false);
    this.problem = "";
    recognition.start();
    this.turn(true);
  }

  turn(on) {
    this.listening = on;
    this.changed();
  }
}
