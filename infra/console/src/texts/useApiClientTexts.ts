import { apiClients as de } from './de/apiClients.ts'
import { apiClients as en } from './en/apiClients.ts'
import { useLocalization } from './useLocalization.ts'

/** Not among the texts of `Texts`: they are loaded with the page of API clients, which few visits open. */
const apiClientTexts = { en, de }

/** The texts of the page of API clients in the language of the page. */
export function useApiClientTexts(): typeof en {
  return apiClientTexts[useLocalization().language]
}
