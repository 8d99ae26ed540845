import { VERSION } from '#libs/kernel/version.js';

/** pip refuses other file names. */
export const CLIENTS = [
  { language: 'typescript', name: '@agent-job-network/client', file: `agent-job-network-client-${VERSION}.tgz` },
  {
    language: 'python',
    name: 'agent-job-network-client',
    file: `agent_job_network_client-${VERSION}-py3-none-any.whl`,
  },
] as const;

const [NPM, PYTHON] = CLIENTS;

export const clientUrl = (service: string, file: string) => `${service}/clients/${file}`;
export const npmInstall = (service: string) => `npm install ${clientUrl(service, NPM.file)}`;
export const pipInstall = (service: string) => `pip install ${clientUrl(service, PYTHON.file)}`;
/** pip refuses a file with another digest. */
export const pipInstallExactly = (service: string, sha256: string) =>
  `pip install "${clientUrl(service, PYTHON.file)}#sha256=${sha256}"`;
