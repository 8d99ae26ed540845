import { Action, ProgramAction } from '../elements/action.js';
import type { Step } from './steps.js';

/** Forms of steps. Their agents see them; `only` and `except` decide. */
export const StepList = ({ steps }: { readonly steps: readonly Step[] }) =>
  steps.length === 0 ? null : (
    <div class="buttons">
      {steps.map(step => (
        <Action key={step.summary ?? step.button} {...step} />
      ))}
    </div>
  );

/** Requests of the same steps by a program. */
export function ProgramList({ steps }: { readonly steps: readonly Step[] }) {
  const programs = steps.filter(({ program }) => program !== undefined);
  if (programs.length === 0) return null;
  return (
    <details class="programs">
      <summary>Use a program</summary>
      {programs.map(({ program = '', sample }) => (
        <ProgramAction key={program} summary={program} sample={sample} />
      ))}
    </details>
  );
}
