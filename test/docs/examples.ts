/** Replaces the ids and tokens that a page shows with those of the running test. */
const IDS = ['muse_id', 'role', 'hire', 'id'] as const;
const TOKEN = /"token":"(\w+_tok_[\w-]+)"/g;
const SHOWN_TOKEN = /\b\w+_tok_\.\.\./g;
const KEY = /"(\w+)":/g;

const answersIn = (text: string): string[] => text.split(/(?=\{"ok":)/).filter(part => part.startsWith('{"ok":'));

const idIn = (answer: string, key: string) => new RegExp(`"${key}":"?([\\w-]+)`).exec(answer)?.[1];

export class Examples {
  private token = '';
  private readonly own = new Map<string, string>();

  /** @param places addresses and folders of the page, with those of the test */
  constructor(places: { readonly [shown: string]: string }) {
    for (const [shown, own] of Object.entries(places)) this.own.set(shown, own);
  }

  set(shown: string, own: string): void {
    this.own.set(shown, own);
  }

  exchange(commands: string): string {
    const withToken = commands.replace(SHOWN_TOKEN, this.token);
    return [...this.own].reduce((text, [shown, own]) => text.replaceAll(shown, own), withToken);
  }

  /** Learns the ids of an output by comparing its last responses with those the page shows. */
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

export const refusals = (output: string): string[] =>
  answersIn(output).filter(answer => !answer.startsWith('{"ok":true'));
