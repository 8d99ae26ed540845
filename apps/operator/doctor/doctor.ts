import { explainStoreOutage, serverSetting } from '#libs/setup/store-places.js';
import type { SettingError } from '#libs/setup/setting.js';
import type { Settings } from '#libs/setup/settings.js';
import { escapeLine } from '#libs/terminal/print.js';
import { commandFor, type CommandReport } from '#libs/terminal/command-line.js';
import { checkBrowserRpc, checkChains } from './chains.js';
import { failedCheck, type Check, runCheck, NeverStarted } from './check.js';
import { checkFiles, checkFolder } from './folder.js';
import { checkPayments } from './payments.js';
import { checkAddress, checkPublicSettings, checkService, checkSiblings } from './service.js';
import { checkCoordination, checkLog, checkProjections, checkVault } from './stores.js';

interface DoctorCheck {
  readonly name: string;
  /** Remedy if the check itself fails. */
  readonly advice: string;
  readonly run: (settings: Settings) => Promise<Check[]>;
}

const START_SERVICE = `Start the service: ${commandFor('start')}.`;
const CHECK_STORE = 'Check that the store is up and that its setting names it.';

const DOCTOR_CHECKS: readonly DoctorCheck[] = [
  { name: 'settings', advice: 'Correct the file that the setting names.', run: checkFiles },
  { name: 'settings', advice: 'Correct BASE_URL.', run: checkPublicSettings },
  { name: 'data folder', advice: 'Set DATA_DIR, or start the service, which creates it.', run: checkFolder },
  { name: 'event log', advice: CHECK_STORE, run: checkLog },
  { name: 'read models', advice: CHECK_STORE, run: checkProjections },
  { name: 'short-lived state', advice: CHECK_STORE, run: checkCoordination },
  { name: 'vault', advice: CHECK_STORE, run: checkVault },
  { name: 'service', advice: START_SERVICE, run: checkService },
  { name: 'address', advice: 'Check the proxy and DNS: agents call this address.', run: checkAddress },
  {
    name: 'chains',
    advice: 'With CHAIN=dev start the service, which runs the chain; otherwise check the RPC addresses.',
    run: checkChains,
  },
  { name: 'browsers', advice: 'Check the RPC addresses for browsers.', run: checkBrowserRpc },
  { name: 'payments', advice: CHECK_STORE, run: checkPayments },
  { name: 'siblings', advice: 'Check SIBLING_URL or SIBLING_FILE.', run: checkSiblings },
];

/** These checks call the service, which cannot answer without its stores. */
const NEED_SERVICE = new Set(['service', 'chains']);

export async function doctor(settings: Settings): Promise<CommandReport> {
  const results = await Promise.all(DOCTOR_CHECKS.map(each => runDoctorCheck(each, settings)));
  return buildReport(dropConsequences(results));
}

interface CheckResult {
  readonly checks: readonly Check[];
  /** Setting of a server that could not be reached. */
  readonly server: string | undefined;
  /** Whether the check can fail merely because the service cannot start. */
  readonly needsService: boolean;
}

async function runDoctorCheck({ name, advice, run: check }: DoctorCheck, settings: Settings): Promise<CheckResult> {
  let server: string | undefined;
  let needsService = NEED_SERVICE.has(name);
  const checks = await runCheck(name, advice, () =>
    check(settings).catch(async (error: unknown) => {
      server = serverSetting(error, settings);
      needsService ||= error instanceof NeverStarted;
      throw await explainStoreOutage(error, settings);
    }),
  );
  return { checks, server, needsService };
}

/** Keeps one finding per unreachable server: other checks and the service fail for the same reason. */
function dropConsequences(results: readonly CheckResult[]): Check[] {
  const reported = new Set<string>();
  const isServerDown = results.some(({ server }) => server !== undefined);
  return results.flatMap(({ checks, server, needsService }) => {
    if (server === undefined) return isServerDown && needsService ? checks.filter(({ ok }) => ok) : checks;
    if (reported.has(server)) return [];
    reported.add(server);
    return checks;
  });
}

/** Wrong settings prevent all other checks. */
export function settingsReport({ message }: SettingError): CommandReport {
  return buildReport([
    failedCheck('settings', message, 'Correct it in the environment or in .env. docs/settings.md lists all settings.'),
  ]);
}

function buildReport(checks: readonly Check[]): CommandReport {
  const findings = checks.filter(({ ok }) => !ok);
  const lines = checks.flatMap(({ ok, name, sentence, advice }) => {
    return [`${ok ? 'ok ' : 'BAD'}  ${name}: ${sentence}`, ...(advice === null ? [] : [`       ${advice}`])];
  });
  const summary = findings.length === 0 ? 'Nothing is wrong.' : `${findings.length} findings.`;
  return {
    ok: findings.length === 0,
    json: { ok: findings.length === 0, checks },
    text: [...lines, summary].map(escapeLine).join('\n'),
  };
}
