import { SignedCard } from '#libs/channels/a2a/agent-card.js';
import { TokenMint } from '#libs/http/authentication/bearer-tokens.js';
import { Routes } from '#libs/http/routes.js';
import { ServiceAddress } from '#libs/http/service-address.js';
import { Issuer } from '#libs/issuer/issuer.js';
import { PaymentSettings } from '#libs/payments/payment.settings.js';
import { LimitTable } from '#libs/platform/limits/limit-table.js';
import { feature } from '#libs/endpoints/feature.js';
import { agentCard, legacyAgentCard } from './agent-card.js';
import { heartbeat, llms, skill } from './agent-text-queries.js';
import { AgentTexts } from './agent-texts.js';
import { aiCatalog } from './ai-catalog.js';
import { apiCatalog } from './api-catalog.js';
import { CurlCommands } from './curl-commands.js';

import { robots } from './robots.js';
import { securityTxt } from './security-txt.js';
import { serverCard } from './server-card.js';
import { skillJson } from './skill-json.js';
import { skillsIndex } from './skills-index.js';

const agentTexts = {
  provide: AgentTexts,
  inject: [ServiceAddress, Routes, PaymentSettings, TokenMint, LimitTable],
  useFactory: (
    address: ServiceAddress,
    routes: Routes,
    { rails, playMoney }: PaymentSettings,
    { prefix }: TokenMint,
    table: LimitTable,
  ) =>
    new AgentTexts(() => {
      const commands = new CurlCommands(address.url, routes);
      return { commands, rails, tokenPrefix: prefix, playMoney, limits: table.limitsFor(false) };
    }),
};

const signedCard = {
  provide: SignedCard,
  inject: [Issuer, ServiceAddress],
  useFactory: (issuer: Issuer, address: ServiceAddress) => new SignedCard(issuer, address),
};

export const texts = feature('texts', {
  queries: [
    llms,
    skill,
    skillJson,
    heartbeat,
    skillsIndex,
    agentCard,
    legacyAgentCard,
    apiCatalog,
    aiCatalog,
    serverCard,
    securityTxt,
    robots,
  ],
  providers: [agentTexts, signedCard],
});
