import { defineQuery, w } from '#libs/endpoints/declare.js';
import { ServiceAddress } from '#libs/http/service-address.js';
import { VERSION } from '#libs/kernel/version.js';
import { PackedClients } from './packed-clients.js';
import { CLIENTS, clientUrl, npmInstall, pipInstallExactly } from './public.js';

const [EXAMPLE] = CLIENTS;
const EXAMPLE_SERVICE = 'https://jobs.example';

export const clients = defineQuery('clients', {
  path: '/clients',
  uses: { packed: PackedClients, address: ServiceAddress },
  answer: w.object({
    clients: w.parts('One for each language', {
      language: w.means('Programming language', w.oneOf('typescript', 'python')),
      name: w.text(EXAMPLE.name, 'Name of the package'),
      version: w.text(VERSION, 'Version of the package'),
      url: w.text(clientUrl(EXAMPLE_SERVICE, EXAMPLE.file), 'Address of the package'),
      sha256: w.digest,
      bytes: w.integer(60_000, 'Size of the file'),
      install: w.text(npmInstall(EXAMPLE_SERVICE), 'Shell command'),
    }),
  }),
  doc: {
    tag: 'Agents',
    summary: 'List the installable clients',
    details: 'Other packages that a client needs come from npm or PyPI.',
  },
  async find(_fields, { packed, address }) {
    const { url: service } = address;
    const entries = (await packed.all()).map(({ language, name, file, sha256, bytes }) => {
      const install = language === 'python' ? pipInstallExactly(service, sha256) : npmInstall(service);
      const url = clientUrl(service, file);
      return { language, name, version: VERSION, url, sha256, bytes: bytes.length, install };
    });
    return { clients: entries };
  },
});
