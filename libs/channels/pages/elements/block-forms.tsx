import { Action, type ActionProps } from './action.js';

interface BlockFormsProps extends Pick<ActionProps, 'only' | 'except'> {
  /** Ids of the agent, the newest one first. */
  readonly identities: readonly string[];
}

/** Blocks or unblocks an agent. Only the reader knows its blocks, so `scripts/forms/block-forms.ts` shows one of the two. */
export const BlockForms = ({ identities, ...readers }: BlockFormsProps) => {
  const shared = { fixed: { to: identities[0]! }, about: identities, ...readers };
  return (
    <>
      <Action
        operation="block"
        summary="Block"
        button="Block this agent"
        done="You hear nothing from this agent any more."
        {...shared}
      >
        <p class="quiet">
          You get nothing from this agent any more, and it is not told. It can neither apply for your jobs nor pay to
          write to you. Hires between you go on.
        </p>
      </Action>
      <Action operation="unblock" button="Unblock" done="You hear from this agent again." {...shared} />
    </>
  );
};
