import {
  Activity,
  Bot,
  CalendarClock,
  FolderTree,
  GitBranch,
  Hand,
  LayoutDashboard,
  type LucideIcon,
  ScrollText,
  ShieldCheck,
  Workflow,
  Wrench,
} from 'lucide-react'
import { shell } from '../messages/shell.ts'

export interface NavigationEntry {
  readonly to: string
  readonly text: string
  readonly icon: LucideIcon
  /** Second key of the shortcut: `g` and then this. */
  readonly key?: string
  /** In narrow windows among the tabs at the bottom; the others are behind "More". */
  readonly primary?: true
  /** Paths of the installation of which one, or something below one, has to be readable; without them, all may open it. */
  readonly needs?: readonly string[]
}

/** Pages of the main navigation, in their order. */
export const navigation: readonly NavigationEntry[] = [
  { to: '/', text: shell.pages.dashboard, icon: LayoutDashboard, key: 'd', primary: true },
  { to: '/projects', text: shell.pages.projects, icon: FolderTree, key: 'p', primary: true },
  { to: '/activities', text: shell.pages.activities, icon: Activity, key: 'a', primary: true },
  { to: '/approvals', text: shell.pages.approvals, icon: Hand, key: 'i', primary: true },
  { to: '/workflows', text: shell.pages.workflows, icon: Workflow, key: 'w' },
  { to: '/schedules', text: shell.pages.schedules, icon: CalendarClock, key: 's' },
  { to: '/templates', text: shell.pages.templates, icon: GitBranch, key: 't' },
  { to: '/audit', text: shell.pages.audit, icon: ScrollText, key: 'h' },
  { to: '/access', text: shell.pages.access, icon: ShieldCheck, key: 'c' },
  { to: '/admin', text: shell.pages.admin, icon: Wrench, key: 'x', needs: ['/admin', '/system_configuration'] },
]

/** Pages that the search offers and the main navigation does not. */
export const otherPages: readonly NavigationEntry[] = [{ to: '/agents', text: shell.pages.agents, icon: Bot }]

/** Whether an address is that of a page of the navigation, or of a page below it. */
export const isWithin = (pathname: string, to: string): boolean =>
  to === '/' ? pathname === '/' : pathname === to || pathname.startsWith(`${to}/`)
