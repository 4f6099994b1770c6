import { Button } from '../ui/Button.tsx'
import { ErrorNotice } from '../ui/ErrorNotice.tsx'
import { Icon } from '../ui/Icon.tsx'
import { useAction } from '../ui/useAction.ts'
import { csvOf } from './csv.ts'
import { saveFile } from './saveFile.ts'

interface SaveCsvButtonProps {
  readonly label: string
  /** The file's name, without its ending. */
  readonly name: string
  /** Reads the table, the titles of its columns first. */
  readonly read: () => Promise<readonly (readonly string[])[]>
}

/** Reads everything that a list has, and saves it as CSV. */
export function SaveCsvButton({ label, name, read }: SaveCsvButtonProps) {
  const action = useAction()
  return (
    <div className="save-csv">
      <Button
        running={action.running}
        onClick={() =>
          void action.run(async () => saveFile(`${name}.csv`, 'text/csv;charset=utf-8', csvOf(await read())))
        }
      >
        <Icon name="download" />
        {label}
      </Button>
      <ErrorNotice error={action.error} />
    </div>
  )
}
