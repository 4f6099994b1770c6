import { useTexts } from '../texts/useLocalization.ts'
import { PageHeader } from '../ui/PageHeader.tsx'
import { Link } from './navigation.tsx'

/** An address at which nothing is. */
export function UnknownPage() {
  const {
    app: { unknown },
  } = useTexts()
  return (
    <>
      <PageHeader title={unknown.title} lead={unknown.lead} />
      <p>
        <Link className="button primary" to={{ page: 'organizations' }}>
          {unknown.link}
        </Link>
      </p>
    </>
  )
}
