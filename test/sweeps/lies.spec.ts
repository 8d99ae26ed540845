import { readFileSync, writeFileSync } from 'node:fs';
import { beforeAll, expect, test } from '@jest/globals';
import { decisionsOf } from '#libs/endpoints/command-decisions.js';
import type { AnyCommand } from '#libs/endpoints/command.js';
import { FEATURES } from '#libs/features/features.js';
import { EVENT_TYPES } from '#libs/features/streams.js';
import { type HonestStory, honestStory } from '../lies/honest-story.js';
import { audit } from '../lies/lie.js';
import { LyingLog } from '../lies/lying-log.js';
import { ASPECTS, type CommandLie, liesAbout, requestsOf } from '../lies/command-lies.js';

/** Lies that pass today. Make the list again with `RECORD_LIES=1` after a new rule: it may only become shorter. */
const KNOWN = new URL('./known-lies.json', import.meta.url);
/** With another number an agent may get the same task by chance. */
const BY_CHANCE = /^instant: InstantTaskIssued\.task\b/;
/** The feed shows a private event by its digest alone. */
const COMMANDS = FEATURES.flatMap(({ commands }): readonly AnyCommand[] => commands).filter(command =>
  decisionsOf(command).some(({ writes }) => writes.some(type => !EVENT_TYPES.get(type)!.privateType)),
);

let story: HonestStory;
const unnoticed: string[] = [];
beforeAll(async () => void (story = await honestStory()));

/** Whether a finding names an event of the request. A lie that breaks another event only may pass for this one. */
async function isFound({ tell }: CommandLie): Promise<boolean> {
  const log = new LyingLog(story);
  const events = tell(log);
  log.cutAfter(events.at(-1)!);
  const findings = await audit(log);
  return findings.some(({ position }) => events.some(event => event.position === position));
}

test.each(COMMANDS.map(command => [command.name, command] as const))(
  'lies about actor, state, data and request of %s are found or known',
  async (name, command) => {
    const requests = requestsOf(command, new LyingLog(story));
    const lies = requests.flatMap(request => liesAbout(request, new LyingLog(story)));
    for (const lie of lies) if (!(await isFound(lie))) unnoticed.push(`${name}: ${lie.what}`);
    const aspects = new Set(lies.map(({ aspect }) => aspect));
    for (const aspect of ASPECTS) if (!aspects.has(aspect)) unnoticed.push(`${name}: no lie about its ${aspect}`);
  },
);

test('every lie that passes is known, and every known one still passes', () => {
  const sorted = [...new Set(unnoticed)].filter(lie => !BY_CHANCE.test(lie)).sort();
  if (process.env['RECORD_LIES']) writeFileSync(KNOWN, `${JSON.stringify(sorted, null, 2)}\n`);
  expect(sorted).toEqual(JSON.parse(readFileSync(KNOWN, 'utf8')));
});
