import { SquareTerminal } from 'lucide-react'
import { useState } from 'react'
import { general } from '../../messages/general.ts'
import { IconButton } from '../button/button.tsx'
import { Dialog } from '../dialog/dialog.tsx'
import { CommandLine } from './command-line.tsx'

/** Button that shows the commands for what a page shows. */
export function CommandButton({ commands }: { commands: readonly string[] }) {
  const [isOpen, setOpen] = useState(false)
  return (
    <>
      <IconButton label={general.asCommand} variant="quiet" onClick={() => setOpen(true)}>
        <SquareTerminal size={18} aria-hidden />
      </IconButton>
      <Dialog
        open={isOpen}
        onClose={() => setOpen(false)}
        title={general.asCommand}
        description={general.asCommandDetail}
      >
        {commands.map(command => (
          <CommandLine key={command} command={command} />
        ))}
      </Dialog>
    </>
  )
}
