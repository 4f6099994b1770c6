import { useSyncExternalStore } from 'react'
import { useTexts } from '../texts/useLocalization.ts'
import { Icon } from '../ui/Icon.tsx'

function subscribe(listener: () => void): () => void {
  addEventListener('online', listener)
  addEventListener('offline', listener)
  return () => {
    removeEventListener('online', listener)
    removeEventListener('offline', listener)
  }
}

/** Says that there is no connection, for as long as there is none. */
export function OfflineBanner() {
  const { app } = useTexts()
  const isOnline = useSyncExternalStore(subscribe, () => navigator.onLine)
  return (
    <div role="status">
      {!isOnline && (
        <p className="offline">
          <Icon name="alert" />
          {app.offline}
        </p>
      )}
    </div>
  )
}
