import { escapeControls, escapeLine } from '#libs/terminal/print.js';

const GREEN = '\u001b[32m';
const RED = '\u001b[31m';
const DIM = '\u001b[2m';
const BOLD = '\u001b[1m';
const RESET = '\u001b[0m';
const INDENT = ' '.repeat(6);
const LABEL_WIDTH = 9;

/** Details below a step, in this order. */
export type Details = readonly (readonly [label: string, text: string])[];

export class Screen {
  private steps = 0;

  constructor(
    private readonly out: { write(text: string): unknown; readonly isTTY?: boolean },
    private readonly coloured: boolean = out.isTTY === true && !process.env['NO_COLOR'],
  ) {}

  title(text: string): void {
    this.line(`\n${this.paint(BOLD, escapeControls(text))}\n`);
  }

  /** Prints the step once it is done. A failed step fails the story. */
  async step(sentence: string, act: () => Promise<Details>): Promise<void> {
    this.steps += 1;
    const number = String(this.steps).padStart(3);
    try {
      const details = await act();
      this.line(`${number}  ${this.paint(GREEN, 'ok')}  ${escapeLine(sentence)}`);
      for (const [label, text] of details) this.line(this.detail(label, text));
    } catch (error) {
      this.line(`${number}  ${this.paint(RED, 'NOT')} ${escapeLine(sentence)}`);
      throw error;
    }
  }

  failure(message: string): void {
    this.line(`\n${this.paint(RED, 'The story failed.')}\n${INDENT}${escapeControls(message)}\n`);
  }

  private detail(label: string, text: string): string {
    return `${INDENT}  ${this.paint(DIM, escapeLine(`${label.padEnd(LABEL_WIDTH)}${text}`))}`;
  }

  private paint(colour: string, text: string): string {
    return this.coloured ? `${colour}${text}${RESET}` : text;
  }

  private line(text: string): void {
    this.out.write(`${text}\n`);
  }
}
