import { existsSync, readFileSync, writeFileSync } from 'node:fs';
import { DECISIONS } from '#libs/service/decision-table.js';
import { formatDecidedBy, type Decision } from '#libs/endpoints/decision.js';
import { decisionFile, needsNewStory, pinFields } from '../world/record-decisions.js';
import { decideAgain, fromJson, outcomesOf, type RecordedDecision, toJson, variantsOf } from './recorded-decisions.js';

/**
 * Records outcomes, variants and fields of decisions again on their recorded states, only before release 1.0.0:
 * `node --import ./test/setup/typescript-loader.mjs test/vectors/record-variants.ts apply@1`, or `all`.
 */
const wanted = process.argv.slice(2);
const isWanted = (decision: Decision) => wanted.includes('all') || wanted.includes(formatDecidedBy(decision));

const decisions = [...DECISIONS.values()].filter(
  (judged): judged is Decision => 'decide' in judged && isWanted(judged) && existsSync(decisionFile(judged)),
);

const again = (decision: Decision, { event, own, others }: RecordedDecision): RecordedDecision => {
  const seen = { event, own, others, outcome: decideAgain(decision, { event, own, others }) };
  return { ...seen, variants: outcomesOf(variantsOf(decision, seen), decision, seen) };
};

const contradicted = decisions.filter(needsNewStory);
if (contradicted.length > 0)
  throw new Error(
    `The recorded events of ${contradicted.map(formatDecidedBy).join()} contradict the rules: remove their files in ` +
      'test/vectors/decisions, and record them in their stories with RECORD_DECISIONS.',
  );

for (const decision of decisions) {
  const recorded = fromJson(readFileSync(decisionFile(decision), 'utf8'));
  writeFileSync(decisionFile(decision), `${toJson(recorded.map(each => again(decision, each)))}\n`);
}
pinFields(decisions, 'again');
