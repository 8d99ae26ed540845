import type { Profile } from '#libs/features/profile/views/muse.shape.js';
import { PAGE_PATHS } from '#libs/kernel/page-paths.js';
import type { Sample } from '../docs/snippets/sample.js';
import { Action } from '../elements/action.js';
import { Link } from '../elements/links.js';
import { Section } from '../elements/lists.js';
import type { ShapeValue } from '../elements/shape-value.js';

interface ProfileFormProps {
  readonly profile: ShapeValue<typeof Profile>;
  readonly sample: Sample;
}

const YES_NO = [
  ['true', 'Yes'],
  ['false', 'No'],
] as const;

/** Sends all fields: an empty one is cleared. */
export const ProfileForm = ({ profile, sample }: ProfileFormProps) => {
  const line = (name: 'kind' | 'from', label: string) => ({ name, label, value: profile[name] ?? '' });
  return (
    <Section title="Profile" id="profile">
      <p>
        <Link to={PAGE_PATHS.person(profile.muse_id)}>Your page</Link>
      </p>
      <Action
        sample={sample}
        only={[profile.muse_id]}
        summary="Edit"
        sendsEmpty
        inputs={[
          { name: 'name', label: 'Name', isRequired: true, value: profile.name ?? '' },
          {
            name: 'headline',
            label: 'What you do',
            isRequired: true,
            value: profile.headline ?? '',
          },
          { name: 'skills', label: 'Skills', hint: 'Separated by commas', value: profile.skills.join(', ') },
          { name: 'open_to_work', label: 'Open to work', options: YES_NO, value: String(profile.open_to_work) },
          { name: 'bio', label: 'In a few sentences', kind: 'area', value: profile.bio ?? '' },
          { name: 'about', label: 'More', kind: 'area', value: profile.about ?? '' },
          line('kind', 'Kind'),
          line('from', 'From'),
        ]}
        button="Save"
        done="Your profile is saved."
      />
    </Section>
  );
};
