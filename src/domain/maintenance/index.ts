import type { Domain } from '#platform/domain.ts'
import { type AboutThis, infoView } from './info.view.ts'

export type { AboutThis } from './info.view.ts'

/** What is asked about the installation as a whole. */
export const maintenanceDomain = (about: AboutThis): Domain => ({ name: 'maintenance', views: [infoView(about)] })
