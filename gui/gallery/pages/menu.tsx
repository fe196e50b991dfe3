import { Archive, Pencil, Trash2 } from 'lucide-react'
import { Button } from '../../components/button/button.tsx'
import { Menu } from '../../components/menu/menu.tsx'
import { Specimen } from '../specimen.tsx'

const select = () => {}

export function MenuPage() {
  return (
    <Specimen title="Open" row wide>
      <Menu
        trigger={<Button data-opens>More</Button>}
        sections={[
          {
            title: 'Views',
            items: [
              { text: 'Failed today', isCurrent: true, onSelect: select },
              { text: 'Mine', onSelect: select },
            ],
          },
          {
            items: [
              { text: 'Edit…', icon: <Pencil size={15} aria-hidden />, onSelect: select },
              { text: 'Archive…', icon: <Archive size={15} aria-hidden />, onSelect: select },
              {
                text: 'Destroy…',
                icon: <Trash2 size={15} aria-hidden />,
                onSelect: select,
                disabledReason: 'You need the right "delete" on /projects/bank/environments/live.',
              },
            ],
          },
        ]}
      />
    </Specimen>
  )
}
