import { queryOptions, useQuery, useQueryClient } from '@tanstack/react-query'
import { type Language, languages } from './language.ts'
import { useLocalization } from './useLocalization.ts'

/**
 * Texts of a part that few visits open. They are not among those of `Texts`: each language is a file of its own in the bundle, loaded by
 * `LazyPart` with the code of the part.
 */
export interface PartTexts<Values> {
  /** Names them among all parts. */
  readonly name: string
  readonly load: Readonly<Record<Language, () => Promise<Values>>>
}

const part = <Values>(name: string, load: PartTexts<Values>['load']): PartTexts<Values> => ({ name, load })

/** Of the pages of the user's own account. */
export const accountTexts = part('account', {
  en: async () => (await import('./en/account.ts')).account,
  de: async () => (await import('./de/account.ts')).account,
})

export const apiClientTexts = part('api-clients', {
  en: async () => (await import('./en/apiClients.ts')).apiClients,
  de: async () => (await import('./de/apiClients.ts')).apiClients,
})

export const invoiceListTexts = part('invoices', {
  en: async () => (await import('./en/invoiceList.ts')).invoiceList,
  de: async () => (await import('./de/invoiceList.ts')).invoiceList,
})

export const activityListTexts = part('activity', {
  en: async () => (await import('./en/activityList.ts')).activityList,
  de: async () => (await import('./de/activityList.ts')).activityList,
})

export const keyTexts = part('keys', {
  en: async () => (await import('./en/keys.ts')).keys,
  de: async () => (await import('./de/keys.ts')).keys,
})

export const webhookTexts = part('webhooks', {
  en: async () => (await import('./en/webhooks.ts')).webhooks,
  de: async () => (await import('./de/webhooks.ts')).webhooks,
})

export const domainTexts = part('domains', {
  en: async () => (await import('./en/domains.ts')).domains,
  de: async () => (await import('./de/domains.ts')).domains,
})

export const signOnTexts = part('sso', {
  en: async () => (await import('./en/signOn.ts')).signOn,
  de: async () => (await import('./de/signOn.ts')).signOn,
})

export const memberTexts = part('members', {
  en: async () => (await import('./en/members.ts')).members,
  de: async () => (await import('./de/members.ts')).members,
})

/** The query for the texts of a part, which stay for as long as the page does. */
export function textsOfPart<Values>({ name, load }: PartTexts<Values>, language: Language) {
  return queryOptions({
    queryKey: ['texts', name, language],
    queryFn: load[language],
    staleTime: 'static',
    gcTime: Number.POSITIVE_INFINITY,
    structuralSharing: false,
  })
}

/** The texts of a part that `LazyPart` shows. While those of another language load, they stay as they are. */
export function usePartTexts<Values>(of: PartTexts<Values>): Values {
  const { language } = useLocalization()
  const queries = useQueryClient()
  const { data } = useQuery(textsOfPart(of, language))
  const [known] = languages.flatMap((one) => queries.getQueryData(textsOfPart(of, one).queryKey) ?? [])
  const texts = data ?? known
  if (texts === undefined) throw new Error(`the texts of the part ${of.name} are not loaded`)
  return texts
}
