import { Activity, Cpu, Database, ListTodo, type LucideIcon, MapPin, Server, Wrench } from 'lucide-react'
import { type ComponentType, type LazyExoticComponent, lazy } from 'react'
import type { admin as texts } from '../../messages/admin.ts'

/** Part of the administration, at `/admin/<id>`. */
export interface Part {
  readonly id: keyof typeof texts.parts
  readonly icon: LucideIcon
  /** Path on which the user needs the right to read. */
  readonly path: string
  readonly component: LazyExoticComponent<ComponentType>
}

/** Parts of the administration in their order. */
export const parts: readonly Part[] = [
  {
    id: 'maintenance',
    icon: Wrench,
    path: '/admin',
    component: lazy(() => import('./maintenance/maintenance-part.tsx')),
  },
  {
    id: 'jobs',
    icon: ListTodo,
    path: '/admin/jobs',
    component: lazy(() => import('./operations/jobs-part.tsx')),
  },
  {
    id: 'slots',
    icon: Cpu,
    path: '/admin/resource_slots',
    component: lazy(() => import('./operations/slots-part.tsx')),
  },
  {
    id: 'workers',
    icon: Server,
    path: '/admin/workers',
    component: lazy(() => import('./operations/workers-part.tsx')),
  },
  {
    id: 'database',
    icon: Database,
    path: '/admin/database',
    component: lazy(() => import('./operations/database-part.tsx')),
  },
  {
    id: 'load',
    icon: Activity,
    path: '/admin/load',
    component: lazy(() => import('./operations/load-part.tsx')),
  },
  {
    id: 'sites',
    icon: MapPin,
    path: '/admin/sites',
    component: lazy(() => import('./operations/sites-part.tsx')),
  },
]
