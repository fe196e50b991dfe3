import { lazy } from 'react'
import { projects as texts } from '../../messages/projects.ts'
import { canHaveChanges, hasTemplate, type NodeRecord, nodeType } from './node.ts'
import type { NodeTab } from './node-tab.ts'

/** Tabs of a node in their order; the keys 1 to 9 open them. */
export const nodeTabs: readonly NodeTab[] = [
  {
    id: 'overview',
    text: texts.tabs.overview,
    component: lazy(() => import('./tabs/overview-tab.tsx')),
  },
  {
    id: 'agent',
    text: texts.tabs.agent,
    on: node => nodeType(node) === 'agent',
    component: lazy(() => import('../agents/agent-tab.tsx')),
  },
  {
    id: 'activities',
    text: texts.tabs.activities,
    // Nothing runs on agents but their background tasks.
    on: node => nodeType(node) !== 'agent',
    component: lazy(() => import('./tabs/activities-tab.tsx')),
  },
  {
    id: 'properties',
    text: texts.tabs.properties,
    component: lazy(() => import('../configuration/properties-tab.tsx')),
  },
  {
    id: 'settings',
    text: texts.tabs.settings,
    component: lazy(() => import('../configuration/settings-tab.tsx')),
  },
  {
    id: 'actions',
    text: texts.tabs.actions,
    on: canHaveChanges,
    component: lazy(() => import('./tabs/actions-tab.tsx')),
  },
  {
    id: 'schedules',
    text: texts.tabs.schedules,
    on: canHaveChanges,
    component: lazy(() => import('../schedules/schedules-tab.tsx')),
  },
  {
    id: 'versions',
    text: texts.tabs.versions,
    on: hasTemplate,
    component: lazy(() => import('./tabs/versions-tab.tsx')),
  },
  {
    id: 'model',
    text: texts.tabs.model,
    on: node => nodeType(node) === 'asset',
    component: lazy(() => import('./tabs/model-tab.tsx')),
  },
  {
    id: 'remotes',
    text: texts.tabs.remotes,
    on: node => nodeType(node) === 'project',
    component: lazy(() => import('../remotes/remotes-tab.tsx')),
  },
  {
    id: 'bookmarks',
    text: texts.tabs.bookmarks,
    component: lazy(() => import('./tabs/bookmarks-tab.tsx')),
  },
  {
    id: 'access',
    text: texts.tabs.access,
    component: lazy(() => import('../access/node-access-tab.tsx')),
  },
]

export const tabsOf = (node: NodeRecord): readonly NodeTab[] => nodeTabs.filter(({ on }) => on?.(node) ?? true)
