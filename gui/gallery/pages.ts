import type { ComponentType } from 'react'
import type { names } from './names.ts'
import { ActivityTablePage } from './pages/activity-table.tsx'
import { ButtonPage } from './pages/button.tsx'
import { ChipPage } from './pages/chip.tsx'
import { ColumnsPage } from './pages/columns.tsx'
import { CommandPage } from './pages/command.tsx'
import { ConflictPage } from './pages/conflict.tsx'
import { DecisionPage } from './pages/decision.tsx'
import { ConfirmPage, DecisionDialogPage, DialogPage, SheetPage } from './pages/dialog.tsx'
import { DiffPage } from './pages/diff.tsx'
import { EditorPage } from './pages/editor.tsx'
import { FactsPage } from './pages/facts.tsx'
import { FieldPage } from './pages/field.tsx'
import { FilterPage } from './pages/filter.tsx'
import { FormDialogPage } from './pages/form-dialog.tsx'
import { ListPage } from './pages/list.tsx'
import { LogWindowPage } from './pages/log-window.tsx'
import { MenuPage } from './pages/menu.tsx'
import { NameDialogPage } from './pages/name-dialog.tsx'
import { NodePathPage } from './pages/node-path.tsx'
import { PagePage } from './pages/page.tsx'
import { SavedViewsPage } from './pages/saved-views.tsx'
import { SettingsFormPage } from './pages/settings-form.tsx'
import { SplitPanePage } from './pages/split-pane.tsx'
import { StarPage } from './pages/star.tsx'
import { StatePage } from './pages/state.tsx'
import { StatusPage } from './pages/status.tsx'
import { SwitchPage } from './pages/switch.tsx'
import { TablePage } from './pages/table.tsx'
import { TabsPage } from './pages/tabs.tsx'
import { TimePage } from './pages/time.tsx'
import { ToastPage } from './pages/toast.tsx'
import { TooltipPage } from './pages/tooltip.tsx'
import { TreePage } from './pages/tree.tsx'

/** Pages of the gallery by their names. */
export const pages: Readonly<Record<(typeof names)[number], ComponentType>> = {
  'activity-table': ActivityTablePage,
  button: ButtonPage,
  chip: ChipPage,
  columns: ColumnsPage,
  command: CommandPage,
  conflict: ConflictPage,
  decision: DecisionPage,
  'decision-dialog': DecisionDialogPage,
  dialog: DialogPage,
  'dialog-confirm': ConfirmPage,
  'dialog-sheet': SheetPage,
  diff: DiffPage,
  editor: EditorPage,
  facts: FactsPage,
  field: FieldPage,
  filter: FilterPage,
  'form-dialog': FormDialogPage,
  list: ListPage,
  'log-window': LogWindowPage,
  menu: MenuPage,
  'name-dialog': NameDialogPage,
  'node-path': NodePathPage,
  page: PagePage,
  'saved-views': SavedViewsPage,
  'settings-form': SettingsFormPage,
  'split-pane': SplitPanePage,
  star: StarPage,
  state: StatePage,
  status: StatusPage,
  switch: SwitchPage,
  table: TablePage,
  tabs: TabsPage,
  time: TimePage,
  toast: ToastPage,
  tooltip: TooltipPage,
  tree: TreePage,
}
