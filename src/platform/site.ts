/** Name of a site: the service processes that share runners, slots and admission. */
export type Site = string & { readonly isSite: true }

/** The only site until an installation can have several; also the default of the database's columns. */
export const mainSite = 'main' as Site
