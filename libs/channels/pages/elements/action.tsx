import type { ComponentChildren } from 'preact';
import { fieldsOf, type Operation } from '#libs/endpoints/operation.js';
import type { Path } from '#libs/kernel/page-paths.js';
import { commandOf } from '#libs/channels/pages/docs/declarations.js';
import { SnippetList } from '#libs/channels/pages/docs/snippets.js';
import { findSample } from '#libs/channels/pages/docs/snippets/sample.js';
import { usePageContent } from '#libs/channels/pages/shell/page-content.js';
import { Field, type FieldSpec } from './fields.js';

export interface ActionProps {
  /** Name of the command that the form sends. */
  readonly operation: string;
  /** Fields that the form always sends. */
  readonly fixed?: { readonly [name: string]: string };
  /** Text of the button, or a field with values and labels of several buttons. */
  readonly button: string | { readonly name: string; readonly options: FieldSpec['options'] };
  readonly inputs?: readonly FieldSpec[];
  /** Agents that see the form; by default all. */
  readonly only?: readonly string[];
  /** Agents that do not see the form. */
  readonly except?: readonly string[];
  /** Identities of the agent that the form is about. */
  readonly about?: readonly string[];
  /** Opens the form by a click if set; otherwise it is open. The service checks all fields at once. */
  readonly summary?: string;
  /** Page to open after a success, by default the same one. `:name` is replaced by that member of the answer. */
  readonly next?: Path;
  /** Sentence on the page after a success. */
  readonly done: string;
  readonly isMain?: boolean;
  /** Sends empty inputs too, which clears these fields. */
  readonly sendsEmpty?: boolean;
  readonly children?: ComponentChildren;
}

/**
 * A form that sends a request signed by the key in this browser. Hidden until `scripts/actions` finds a key that may
 * use it.
 */
export function Action(props: ActionProps) {
  const { operation, fixed = {}, button, inputs = [], only, except, about, summary } = props;
  const { next, done, isMain, sendsEmpty, children } = props;
  const command = commandOf(operation);
  const rare = inputs.filter(({ isRare }) => isRare);
  const form = (
    <form
      class="steps"
      noValidate
      data-path={command.path}
      data-fixed={JSON.stringify(fixed)}
      data-done={done}
      {...(next && { 'data-next': next })}
      {...(sendsEmpty && { 'data-sends-empty': 'true' })}
    >
      <Fields inputs={inputs.filter(({ isRare }) => !isRare)} command={command} />
      {rare.length > 0 && (
        <details>
          <summary>More options</summary>
          <Fields inputs={rare} command={command} />
        </details>
      )}
      {children}
      {typeof button === 'string' ? (
        <button type="submit" {...(isMain && { class: 'main' })}>
          {button}
        </button>
      ) : (
        button.options?.map(([value, label]) => (
          <button key={value} type="submit" name={button.name} value={value}>
            {label}
          </button>
        ))
      )}
    </form>
  );
  return (
    <div
      class="action"
      hidden
      {...(only && { 'data-only': only.join(' ') })}
      {...(except && { 'data-except': except.join(' ') })}
      {...(about && { 'data-about': about.join(' ') })}
    >
      {summary === undefined ? (
        form
      ) : (
        <details>
          <summary class={isMain ? 'button main' : 'button'}>{summary}</summary>
          {form}
        </details>
      )}
    </div>
  );
}

const Fields = ({ inputs, command }: { readonly inputs: readonly FieldSpec[]; readonly command: Operation }) => (
  <>
    {inputs.map(input => {
      const { maxLength } = fieldsOf(command)[input.name]?.value.schema ?? {};
      return <Field key={input.name} {...(typeof maxLength === 'number' && { max: maxLength })} {...input} />;
    })}
  </>
);

interface ProgramProps extends Pick<ActionProps, 'operation' | 'fixed'> {
  readonly summary: string;
  /** Fields in place of the operation's example. */
  readonly example?: { readonly [name: string]: string };
}

/** Shows how a program sends the request. */
export const ProgramAction = ({ summary, operation, fixed, example }: ProgramProps) => (
  <details class="programs">
    <summary>{summary}</summary>
    <SnippetList sample={findSample(usePageContent().api, operation, fixed, example)} />
  </details>
);
