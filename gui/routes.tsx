import {
  createRootRoute,
  createRoute,
  createRouter,
  lazyRouteComponent,
  type SearchSchemaInput,
} from '@tanstack/react-router'
import { Unreachable } from '#client/sluice.ts'
import { useSession } from './api/session.tsx'
import { EmptyState, ErrorState, Skeleton } from './components/state/state.tsx'
import { general } from './messages/general.ts'
import { readAccessSearch } from './pages/access/search.ts'
import { readActivitySearch } from './pages/activities/search.ts'
import { readActivityPageSearch } from './pages/activity/search.ts'
import { readAdminSearch } from './pages/admin/search.ts'
import { readAgentSearch } from './pages/agents/search.ts'
import { readApprovalSearch } from './pages/approvals/search.ts'
import { readAuditSearch } from './pages/audit/search.ts'
import { readCompareSearch } from './pages/compare/search.ts'
import { readNodeSearch, readTreeSearch } from './pages/projects/search.ts'
import { readScheduleSearch } from './pages/schedules/search.ts'
import { readTemplateSearch, readTemplatesSearch, readVersionSearch } from './pages/templates/search.ts'
import { readWorkflowListSearch, readWorkflowSearch } from './pages/workflows/search.ts'
import { Shell } from './shell/shell.tsx'
import { SignInPage } from './shell/sign-in.tsx'

/** Table of the routes: address, search parameters, page. Each page is a file of its own that is loaded when it is opened. */

const root = createRootRoute({
  component: Root,
  notFoundComponent: () => <EmptyState title={general.notFound}>{general.notFoundDetail}</EmptyState>,
  errorComponent: ({ error, reset }) => <ErrorState error={error} onRetry={reset} />,
})

function Root() {
  const { state, retry } = useSession()
  if (state === 'loading') return <Skeleton />
  if (state === 'unreachable') return <ErrorState error={new Unreachable()} onRetry={retry} />
  return state === 'none' ? <SignInPage /> : <Shell />
}

const activities = createRoute({
  getParentRoute: () => root,
  path: '/activities',
  validateSearch: (search: Record<string, unknown> & SearchSchemaInput) => readActivitySearch(search),
  component: lazyRouteComponent(() => import('./pages/activities/activities-page.tsx'), 'ActivitiesPage'),
})

const activity = createRoute({
  getParentRoute: () => root,
  path: '/activities/$id',
  validateSearch: (search: Record<string, unknown> & SearchSchemaInput) => readActivityPageSearch(search),
  component: lazyRouteComponent(() => import('./pages/activity/activity-page.tsx'), 'ActivityPage'),
})

const workflows = createRoute({
  getParentRoute: () => root,
  path: '/workflows',
  validateSearch: (search: Record<string, unknown> & SearchSchemaInput) => readWorkflowListSearch(search),
  component: lazyRouteComponent(() => import('./pages/workflows/workflows-page.tsx'), 'WorkflowsPage'),
})

const workflow = createRoute({
  getParentRoute: () => root,
  path: '/workflows/$project/$code',
  validateSearch: (search: Record<string, unknown> & SearchSchemaInput) => readWorkflowSearch(search),
  component: lazyRouteComponent(() => import('./pages/workflows/workflow-page.tsx'), 'WorkflowPage'),
})

const schedules = createRoute({
  getParentRoute: () => root,
  path: '/schedules',
  validateSearch: (search: Record<string, unknown> & SearchSchemaInput) => readScheduleSearch(search),
  component: lazyRouteComponent(() => import('./pages/schedules/schedules-page.tsx'), 'SchedulesPage'),
})

const agents = createRoute({
  getParentRoute: () => root,
  path: '/agents',
  validateSearch: (search: Record<string, unknown> & SearchSchemaInput) => readAgentSearch(search),
  component: lazyRouteComponent(() => import('./pages/agents/agents-page.tsx'), 'AgentsPage'),
})

const projects = createRoute({
  getParentRoute: () => root,
  path: '/projects',
  validateSearch: (search: Record<string, unknown> & SearchSchemaInput) => readTreeSearch(search),
  component: lazyRouteComponent(() => import('./pages/projects/projects-page.tsx'), 'ProjectsPage'),
})

const allProjects = createRoute({
  getParentRoute: () => projects,
  path: '/',
  component: lazyRouteComponent(() => import('./pages/projects/all-projects.tsx'), 'AllProjects'),
})

const node = createRoute({
  getParentRoute: () => projects,
  path: '$',
  validateSearch: (search: Record<string, unknown> & SearchSchemaInput) => readNodeSearch(search),
  component: lazyRouteComponent(() => import('./pages/projects/node-page.tsx'), 'NodePage'),
})

const audit = createRoute({
  getParentRoute: () => root,
  path: '/audit',
  validateSearch: (search: Record<string, unknown> & SearchSchemaInput) => readAuditSearch(search),
  component: lazyRouteComponent(() => import('./pages/audit/audit-page.tsx'), 'AuditPage'),
})

const access = createRoute({
  getParentRoute: () => root,
  path: '/access',
  validateSearch: (search: Record<string, unknown> & SearchSchemaInput) => readAccessSearch(search),
  component: lazyRouteComponent(() => import('./pages/access/access-page.tsx'), 'AccessPage'),
})

const policy = createRoute({
  getParentRoute: () => root,
  path: '/access/policies/$id',
  component: lazyRouteComponent(() => import('./pages/access/policy-page.tsx'), 'PolicyPage'),
})

const user = createRoute({
  getParentRoute: () => root,
  path: '/access/users/$username',
  component: lazyRouteComponent(() => import('./pages/access/user-page.tsx'), 'UserPage'),
})

const compare = createRoute({
  getParentRoute: () => root,
  path: '/compare',
  validateSearch: (search: Record<string, unknown> & SearchSchemaInput) => readCompareSearch(search),
  component: lazyRouteComponent(() => import('./pages/compare/compare-page.tsx'), 'ComparePage'),
})

const dashboard = createRoute({
  getParentRoute: () => root,
  path: '/',
  component: lazyRouteComponent(() => import('./pages/dashboard/dashboard-page.tsx'), 'DashboardPage'),
})

const approvals = createRoute({
  getParentRoute: () => root,
  path: '/approvals',
  validateSearch: (search: Record<string, unknown> & SearchSchemaInput) => readApprovalSearch(search),
  component: lazyRouteComponent(() => import('./pages/approvals/approvals-page.tsx'), 'ApprovalsPage'),
})

const templates = createRoute({
  getParentRoute: () => root,
  path: '/templates',
  validateSearch: (search: Record<string, unknown> & SearchSchemaInput) => readTemplatesSearch(search),
  component: lazyRouteComponent(() => import('./pages/templates/templates-page.tsx'), 'TemplatesPage'),
})

const template = createRoute({
  getParentRoute: () => root,
  path: '/templates/$project/$code',
  validateSearch: (search: Record<string, unknown> & SearchSchemaInput) => readTemplateSearch(search),
  component: lazyRouteComponent(() => import('./pages/templates/template-page.tsx'), 'TemplatePage'),
})

const templateVersion = createRoute({
  getParentRoute: () => root,
  path: '/templates/$project/$code/$version',
  validateSearch: (search: Record<string, unknown> & SearchSchemaInput) => readVersionSearch(search),
  component: lazyRouteComponent(() => import('./pages/templates/version-page.tsx'), 'VersionPage'),
})

const admin = createRoute({
  getParentRoute: () => root,
  path: '/admin',
  component: lazyRouteComponent(() => import('./pages/admin/admin-page.tsx'), 'AdminPage'),
})

const adminPart = createRoute({
  getParentRoute: () => root,
  path: '/admin/$part',
  validateSearch: (search: Record<string, unknown> & SearchSchemaInput) => readAdminSearch(search),
  component: lazyRouteComponent(() => import('./pages/admin/admin-page.tsx'), 'AdminPage'),
})

const account = createRoute({
  getParentRoute: () => root,
  path: '/me',
  component: lazyRouteComponent(() => import('./pages/account/account-page.tsx'), 'AccountPage'),
})

export const router = createRouter({
  routeTree: root.addChildren([
    access,
    agents,
    policy,
    user,
    audit,
    compare,
    dashboard,
    projects.addChildren([allProjects, node]),
    activities,
    activity,
    workflows,
    workflow,
    schedules,
    approvals,
    templates,
    template,
    templateVersion,
    admin,
    adminPart,
    account,
  ]),
  defaultPreload: 'intent',
  defaultPendingMs: 150,
  defaultPendingComponent: () => <Skeleton />,
  scrollRestoration: true,
})

declare module '@tanstack/react-router' {
  interface Register {
    router: typeof router
  }
}
