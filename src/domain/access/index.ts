export { ensureFirstSuperuser } from './first-superuser.ts'
export { isSuperuser, rightsOf, rightsSource } from './rights.store.ts'
export { type Granted, rightsFrom } from './rights.ts'
