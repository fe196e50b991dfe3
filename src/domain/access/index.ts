export { isSuperuser, rightsOf, rightsSource } from './rights.store.ts'
