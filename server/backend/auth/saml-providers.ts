/** The organisations whose people sign in by SAML, from the operator's file. */
export interface SamlProvider {
  readonly id: string;
  readonly domains: readonly string[];
}

export interface SamlProviders {
  byId(id: string): SamlProvider | null;
  byDomain(domain: string): SamlProvider | null;
}
