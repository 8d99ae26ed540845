/** Names the tests that take longer than 20 s for no reason in this table. */
import { relative } from 'node:path';

const DURATION_MAX_MS = 20_000;

/** Reasons by the beginning of the path. */
const REASONS = {
  'test/bench': 'it measures each row several times',
  'test/flows/block.twins': 'two services live the same story, and all that they answer is compared',
  'test/faults/escrow-crash': 'a process is killed and started again for each step of an escrow',
  'test/contract/escrow.lives': 'with FAULTS=all, a thousand lives of jobs are lived on a chain',
  'test/docs': 'it builds the project and follows each page like a reader',
  'test/face/escrow-story': 'each step of the story is checked in two widths and two colour schemes',
  'test/face/me': 'the tabs of a browser ask for notices every 40 s',
  'test/faults/attacks': 'an attack lasts long enough to fill caches and memory',
  'test/faults/crash': 'the service is killed and started again at each step of a payment',
  'test/faults/endless-feed': 'a hostile service fills the memory of an auditor',
  'test/faults/facilitator': 'the service is killed and started again at each step of a payment',
  'test/faults/kills': 'agents work until the service was killed in each round',
  'test/faults/large-answers': 'the attack lasts ten seconds for each form of answer',
  'test/faults/pictures': 'the memory of hundreds of pictures shows a leak',
  'test/faults/projectors': 'a killed projector is replaced after its lease has expired',
  'test/faults/stores': 'agents work while stores and processes fail',
  'test/faults/waiting-readers': 'the readers wait on a long log',
  'test/flows/log-put-back': 'each start on an older log asks it twice, a second apart',
  'test/flows/pairs.escrow': 'each command meets each state of an escrow on a chain',
  'test/packed': 'npm installs the project with all its packages',
  'test/processes/build': 'it builds the project several times',
  'test/python': 'pip installs the client and its packages',
};

const isExplained = file => Object.keys(REASONS).some(start => file.startsWith(start));

export default class SlowTests {
  lines = [];

  onTestResult(_test, { testFilePath, testResults }) {
    const file = relative('.', testFilePath);
    for (const { fullName, duration } of testResults)
      if (duration > DURATION_MAX_MS && !isExplained(file))
        this.lines.push(`${Math.round(duration / 1_000)} s  ${file}: ${fullName}`);
  }

  onRunComplete() {
    if (this.lines.length > 0)
      console.error(`Slow tests without a reason in test/setup/slow-tests.mjs:\n${this.lines.join('\n')}`);
  }
}
