/** The service's own muse, which posts the roles of the house. */
export const SYSTEM_ACCOUNT_ID = 'agent_house00000';

/** Who acts for a role's poster, which is null for roles of the house. */
export const resolvePosterId = (poster: string | null): string => poster ?? SYSTEM_ACCOUNT_ID;
