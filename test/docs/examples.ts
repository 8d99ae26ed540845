/**
 * What a page shows of an answer stands for the answer itself: the ids in it, and the token, are those of whoever wrote
 * the page, and the commands behind it use them. Here they are exchanged for the reader's own.
 */
const IDS = ['muse_id', 'role', 'hire', 'id'] as const;
const TOKEN = /"token":"(\w+_tok_[\w-]+)"/g;
const SHOWN_TOKEN = /\b\w+_tok_\.\.\./g;
const KEY = /"(\w+)":/g;

/** The JSON answers in a text, one after the other. */
const answersIn = (text: string): string[] => text.split(/(?=\{"ok":)/).filter(part => part.startsWith('{"ok":'));

const idIn = (answer: string, key: string) => new RegExp(`"${key}":"?([\\w-]+)`).exec(answer)?.[1];

export class Examples {
  private token = '';
  private readonly own = new Map<string, string>();

  /** @param places what a page takes for granted (an address, a folder), and where the tests have it */
  constructor(places: { readonly [shown: string]: string }) {
    for (const [shown, own] of Object.entries(places)) this.own.set(shown, own);
  }

  /** From now on `shown` stands for `own`. */
  set(shown: string, own: string): void {
    this.own.set(shown, own);
  }

  /** The commands of a page, with the reader's own values. */
  exchange(commands: string): string {
    const withToken = commands.replace(SHOWN_TOKEN, this.token);
    return [...this.own].reduce((text, [shown, own]) => text.replaceAll(shown, own), withToken);
  }

  /** What the commands put out, beside what the page shows of it; the last of the one is the last of the other. */
  learn(output: string, shown: string): { readonly missing: string[] } {
    const answers = answersIn(output);
    this.token = [...output.matchAll(TOKEN)].at(-1)?.[1] ?? this.token;
    const examples = answersIn(shown);
    const missing: string[] = [];
    examples.forEach((example, at) => {
      const answer = answers[answers.length - examples.length + at] ?? '';
      for (const key of IDS) this.pair(idIn(example, key), idIn(answer, key));
      const named = [...example.matchAll(KEY)].map(match => match[1]!);
      missing.push(...named.filter(key => !answer.includes(`"${key}":`)));
    });
    return { missing };
  }

  private pair(shown: string | undefined, own: string | undefined): void {
    if (shown !== undefined && shown.length >= 8 && own !== undefined) this.own.set(shown, own);
  }
}

/** The answers that are refusals. */
export const refusals = (output: string): string[] =>
  answersIn(output).filter(answer => !answer.startsWith('{"ok":true'));
