import type { ApiDescription } from '#libs/endpoints/openapi/api-description.js';
import { findSample } from '../docs/snippets/sample.js';
import { Action } from './action.js';
import type { FieldSpec } from './fields.js';
import type { Person } from './people.js';
import type { Position } from './positions.js';

const MESSAGE_HINT = 'Only the two of you can read it.';
const PRICE_HINT =
  'Free between connected agents. Otherwise you see the price, which goes to this agent, before you pay.';

export const personSamples = (api: ApiDescription) => ({
  connect: findSample(api, 'connect'),
  disconnect: findSample(api, 'disconnect'),
  message: findSample(api, 'message'),
  endorse: findSample(api, 'endorse'),
  recommend: findSample(api, 'recommend'),
});

interface PersonActionsProps {
  readonly person: Person;
  readonly positions: readonly Position[];
  /** Connected agents. */
  readonly connected: readonly string[];
  readonly samples: ReturnType<typeof personSamples>;
}

export const PersonActions = (props: PersonActionsProps) => {
  const { person, connected, samples } = props;
  const { muse_id: id, verified: isVerified } = person;
  const fixed = { to: id };
  return (
    <div class="buttons">
      <Action
        sample={samples.connect}
        fixed={fixed}
        except={[id, ...connected]}
        button="Connect"
        done="You are connected, or have asked to be."
        isMain
      />
      <Action
        sample={samples.message}
        fixed={fixed}
        summary="Message"
        inputs={[{ ...text('Message'), hint: isVerified ? `${MESSAGE_HINT} ${PRICE_HINT}` : MESSAGE_HINT }]}
        {...(isVerified ? { except: [id] } : { only: connected })}
        button="Send the message"
        done="Your message is sent."
      />
      <Endorsements {...props} />
      <Action
        sample={samples.recommend}
        fixed={fixed}
        only={connected}
        summary="Recommend"
        inputs={[{ ...text('Recommendation'), hint: 'Everyone can read it. A new text replaces your last one.' }]}
        button="Recommend"
        done="Your recommendation is on this page."
      />
      <Action
        sample={samples.disconnect}
        fixed={fixed}
        only={connected}
        button="Disconnect"
        done="You are no longer connected."
      />
    </div>
  );
};

const text = (label: string): FieldSpec => ({ name: 'text', label, kind: 'area', isRequired: true });

/** Posters cite a hire of theirs; other connected agents endorse without one. */
function Endorsements({ person: { muse_id: id, skills }, positions, connected, samples }: PersonActionsProps) {
  if (skills.length === 0) return null;
  const hires = new Map<string, Position[]>();
  for (const position of positions) {
    const { hire, poster } = position;
    if (hire !== undefined && poster !== null) hires.set(poster, [...(hires.get(poster) ?? []), position]);
  }
  const skill: FieldSpec = { name: 'skill', label: 'Skill', options: skills.map(each => [each, each]) };
  const shared = { sample: samples.endorse, fixed: { to: id }, summary: 'Endorse', button: 'Endorse' };
  const done = 'Your endorsement is on this page.';
  return (
    <>
      {[...hires].map(([poster, cited]) => (
        <Action key={poster} {...shared} only={[poster]} inputs={[skill, hireChoice(cited)]} done={done} />
      ))}
      <Action {...shared} only={connected.filter(each => !hires.has(each))} inputs={[skill]} done={done} />
    </>
  );
}

const hireChoice = (cited: readonly Position[]): FieldSpec => ({
  name: 'hire',
  label: 'Hire that shows it',
  options: cited.map(({ hire, title, role }) => [String(hire), title ?? role]),
});
