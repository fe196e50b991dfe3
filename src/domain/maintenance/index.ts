import type { Domain } from '#platform/domain.ts'
import type { SettingsReader } from '../settings/index.ts'
import { databaseView } from './database.view.ts'
import { drainStatusView } from './drain-status.view.ts'
import { type AboutThis, infoView } from './info.view.ts'
import { jobResource } from './job.resource.ts'
import { rotateKeysCommand } from './key-rotation.commands.ts'
import { keyRotationResource } from './key-rotation.resource.ts'
import { loadView } from './load.view.ts'
import { resourceSlotsResource } from './resource-slots.resource.ts'
import { type Rotating, rotateKeysJob } from './rotate-keys.jobs.ts'
import { siteResource } from './site.resource.ts'
import { workersView } from './workers.view.ts'

export { readInstallation } from './installation.store.ts'
export { installationMetrics } from './installation-metrics.ts'
export { jobResource } from './job.resource.ts'
export { keysHint } from './rotate-keys.jobs.ts'

/** Domain of the installation as a whole: its state, and the rotation of its keys. */
export const maintenanceDomain = (
  parts: { about: AboutThis; settings: Pick<SettingsReader, 'global'> } & Rotating,
): Domain => ({
  name: 'maintenance',
  views: [infoView(parts), drainStatusView, loadView, workersView, databaseView],
  resources: [keyRotationResource, resourceSlotsResource, jobResource, siteResource],
  commands: [rotateKeysCommand(parts)],
  jobs: [rotateKeysJob(parts)],
})
