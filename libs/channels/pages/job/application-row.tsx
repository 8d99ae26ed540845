import { PAGE_PATHS } from '#libs/kernel/page-paths.js';
import { type People, PersonLink } from '../elements/people.js';
import { MemberText, Timestamp, Title } from '../elements/texts.js';
import type { NamesBySlug } from '../shell/page.js';
import { StepList } from './step-list.js';
import type { JobApplication, Step } from './steps.js';

interface ApplicationProps {
  readonly application: JobApplication;
  readonly crews: NamesBySlug;
  readonly among: People;
  readonly steps: readonly Step[];
}

/** `scripts/job.ts` shows the private trial answer to the poster. */
export const ApplicationRow = ({ application, crews, among, steps }: ApplicationProps) => (
  <li>
    <div class="row">
      <PersonLink id={application.muse_id} among={among} />
      <span class="aside">
        {application.status} · <Timestamp at={application.created_at} day />
        {application.crew !== null && (
          <>
            {' · with '}
            <Title
              to={PAGE_PATHS.crew(application.crew)}
              text={crews.get(application.crew) ? application.crew : null}
              otherwise={application.crew}
            />
          </>
        )}
      </span>
    </div>
    <MemberText text={application.note} />
    <div class="nested" data-trial-of={application.muse_id} hidden>
      <p class="under">Answer to your screening question; only you see it</p>
      <p class="said" dir="auto" />
    </div>
    <StepList steps={steps} />
  </li>
);
