/** Record types of the API, for pages. */
export type * from '#client/generated/api.ts'
export type { Document, Query, Resource } from '#client/sluice.ts'
