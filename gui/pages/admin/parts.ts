import {
  Activity,
  BookUser,
  Cpu,
  Database,
  KeyRound,
  ListTodo,
  type LucideIcon,
  MapPin,
  Server,
  Settings,
  ShieldCheck,
  Trash2,
  Wrench,
} from 'lucide-react'
import { type ComponentType, type LazyExoticComponent, lazy } from 'react'
import { listCommand } from '../../components/command/list-command.ts'
import type { admin as texts } from '../../messages/admin.ts'
import { type AdminSearch, jobQuery } from './search.ts'

/** Part of the administration, at `/admin/<id>`. */
export interface Part {
  readonly id: keyof typeof texts.parts
  readonly icon: LucideIcon
  /** Path on which the user needs the right to read. */
  readonly path: string
  /** Commands that show what the part shows. */
  readonly commands: (search: AdminSearch) => readonly string[]
  readonly component: LazyExoticComponent<ComponentType>
}

/** Parts of the administration in their order. */
export const parts: readonly Part[] = [
  {
    id: 'maintenance',
    icon: Wrench,
    path: '/admin',
    commands: () => ['sluice maintenance', 'sluice api GET /api/admin/drain_status'],
    component: lazy(() => import('./maintenance/maintenance-part.tsx')),
  },
  {
    id: 'settings',
    icon: Settings,
    path: '/system_configuration',
    commands: () => ['sluice show settings /system_configuration'],
    component: lazy(() => import('./settings/settings-part.tsx')),
  },
  {
    id: 'directory',
    icon: BookUser,
    path: '/system_configuration',
    commands: () => [
      'sluice show settings /system_configuration',
      'sluice list events --filter type_start=api:ldap_refresh',
    ],
    component: lazy(() => import('./security/directory-part.tsx')),
  },
  {
    id: 'cleaning',
    icon: Trash2,
    path: '/admin/data_cleanup_definitions',
    commands: () => ['sluice list data_cleanup_definitions'],
    component: lazy(() => import('./cleaning/cleaning-part.tsx')),
  },
  {
    id: 'keys',
    icon: KeyRound,
    path: '/admin/key_rotations',
    commands: () => ['sluice list key_rotations'],
    component: lazy(() => import('./security/keys-part.tsx')),
  },
  {
    id: 'audit-trail',
    icon: ShieldCheck,
    path: '/admin/audit_trail',
    commands: () => ['sluice audit head', 'sluice audit verify'],
    component: lazy(() => import('./security/trail-part.tsx')),
  },
  {
    id: 'jobs',
    icon: ListTodo,
    path: '/admin/jobs',
    commands: search => [listCommand('jobs', jobQuery(search))],
    component: lazy(() => import('./operations/jobs-part.tsx')),
  },
  {
    id: 'slots',
    icon: Cpu,
    path: '/admin/resource_slots',
    commands: () => ['sluice list resource_slot_pools'],
    component: lazy(() => import('./operations/slots-part.tsx')),
  },
  {
    id: 'workers',
    icon: Server,
    path: '/admin/workers',
    commands: () => ['sluice api GET /api/admin/workers'],
    component: lazy(() => import('./operations/workers-part.tsx')),
  },
  {
    id: 'database',
    icon: Database,
    path: '/admin/database',
    commands: () => ['sluice api GET /api/admin/database'],
    component: lazy(() => import('./operations/database-part.tsx')),
  },
  {
    id: 'load',
    icon: Activity,
    path: '/admin/load',
    commands: () => ['sluice api GET /api/admin/load'],
    component: lazy(() => import('./operations/load-part.tsx')),
  },
  {
    id: 'sites',
    icon: MapPin,
    path: '/admin/sites',
    commands: () => ['sluice list sites'],
    component: lazy(() => import('./operations/sites-part.tsx')),
  },
]
