import { KeyRound } from 'lucide-react'
import { Button } from '../../components/button/button.tsx'
import { encryption as texts } from '../../messages/encryption.ts'
import { EncryptDialog } from './encrypt-dialog.tsx'
import { pathText, type Token, tokensOf } from './leaves.ts'
import { useConfigurationSearch } from './use-configuration-search.ts'

interface EncryptButtonProps {
  readonly nodePath: string
  readonly disabledReason: string | undefined
  /** Why a property cannot be set in the text as it is now; undefined if it can. */
  readonly whyNot: (tokens: readonly Token[]) => Promise<string | undefined>
  readonly onStored: (tokens: readonly Token[], reference: string) => Promise<void>
}

/** Button with the dialog that encrypts a value; the address holds that it is open, and for which property. */
export function EncryptButton({ nodePath, disabledReason, whyNot, onStored }: EncryptButtonProps) {
  const [{ encrypt }, change] = useConfigurationSearch()
  return (
    <>
      <Button disabledReason={disabledReason} onClick={() => change({ encrypt: '' })}>
        <KeyRound size={15} aria-hidden />
        {texts.open}
      </Button>
      {encrypt !== undefined && disabledReason === undefined && (
        <EncryptDialog
          nodePath={nodePath}
          property={pathText(tokensOf(encrypt))}
          whyNot={whyNot}
          onStored={onStored}
          onClose={() => change({ encrypt: undefined })}
        />
      )}
    </>
  )
}
