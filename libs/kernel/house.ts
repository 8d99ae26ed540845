/** The service's own muse, which posts the roles of the house. */
export const HOUSE_ID = 'agent_house00000';

/** Who acts for a role's poster, which is null for roles of the house. */
export const posterId = (poster: string | null): string => poster ?? HOUSE_ID;
