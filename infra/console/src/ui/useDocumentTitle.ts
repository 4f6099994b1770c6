import { useEffect } from 'react'
import { useTexts } from '../texts/useLocalization.ts'

/** Names the page in the browser's tab and history. */
export function useDocumentTitle(title: string): void {
  const { app } = useTexts()
  useEffect(() => {
    document.title = app.title(title)
  }, [title, app])
}
