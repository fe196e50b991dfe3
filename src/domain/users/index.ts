export type { RightsSource } from './rights-source.ts'
