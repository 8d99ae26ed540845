// Ends the process with one sentence if it cannot run. Imports only Node's own modules.
import { existsSync, readFileSync } from 'node:fs';
import { createRequire } from 'node:module';

const { engines, dependencies } = JSON.parse(readFileSync(new URL('../package.json', import.meta.url), 'utf8'));

function problem() {
  const [needed] = /\d+\.\d+/.exec(engines.node);
  const [major, minor] = needed.split('.').map(Number);
  const [ownMajor, ownMinor] = process.versions.node.split('.').map(Number);
  if (ownMajor < major || (ownMajor === major && ownMinor < minor))
    return `This needs Node ${needed} or newer, and runs on ${process.versions.node}. Install a newer Node.`;
  const folders = createRequire(import.meta.url).resolve.paths('commander');
  const isInstalled = name => folders.some(folder => existsSync(`${folder}/${name}/package.json`));
  const missing = Object.keys(dependencies).find(name => !isInstalled(name));
  return missing && `The package ${missing} is not installed. Run: npm ci`;
}

const sentence = problem();
if (sentence) {
  console.error(sentence);
  process.exit(1);
}
