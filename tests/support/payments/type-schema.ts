/**
 * Converts the SDK's declarations into JSON Schema, as answers look on the wire; refuses constructs they do not use.
 */
import { API, type Checker, SignatureKind, SymbolFlags, type Type, TypeFlags } from 'typescript/unstable/sync';

export interface JsonSchema {
  [keyword: string]: unknown;
}

/** An exact number of the SDK; on the wire it is text. */
const DECIMAL = { type: 'string', pattern: '^-?\\d+(\\.\\d+)?$' };

/**
 * @returns a schema whose `$defs` have the names of the types, with a number added where a name repeats
 * @throws Error if the file does not compile, or for a type that has no form in JSON
 */
export function schemaOfInterface(file: string, name: string): JsonSchema {
  const api = new API();
  try {
    const project = api.updateSnapshot({ openFiles: [file] }).getDefaultProjectForFile(file);
    const source = project?.program.getSourceFile(file);
    if (project === undefined || source === undefined) throw new Error(`${file} cannot be read.`);
    const [fault] = project.program.getSemanticDiagnostics(file);
    if (fault !== undefined) throw new Error(`${file}: ${fault.text}`);
    const { checker } = project;
    const module = checker.getSymbolAtLocation(source);
    const exported = module === undefined ? [] : checker.getExportsOfModule(module);
    const symbol = exported.find((one) => one.name === name);
    if (symbol === undefined) throw new Error(`${file} does not export ${name}.`);
    return definedSchema(checker, checker.getDeclaredTypeOfSymbol(symbol));
  } finally {
    api.close();
  }
}

function definedSchema(checker: Checker, root: Type): JsonSchema {
  const definitions: Record<string, JsonSchema> = {};
  // Keyed by the type itself, because names repeat (`Checkout.Session`, `BillingPortal.Session`).
  const names = new Map<Type, string>();

  function schemaOf(type: Type): JsonSchema {
    if (type.flags & TypeFlags.Unknown) return {};
    if (type.flags & TypeFlags.Null) return { type: 'null' };
    if (type.flags & TypeFlags.String) return { type: 'string' };
    if (type.flags & TypeFlags.Number) return { type: 'number' };
    if (type.flags & TypeFlags.Boolean) return { type: 'boolean' };
    if (type.isStringLiteralType() || type.isNumberLiteralType()) return { const: type.value };
    if (type.flags & TypeFlags.BooleanLiteral) return { const: checker.typeToString(type) === 'true' };
    if (type.isUnionType()) return unionOf(type.getTypes());
    if (isOtherString(type)) return { type: 'string' };
    if (checker.isArrayType(type)) return { type: 'array', items: schemaOf(elementOf(type)) };
    if (isDecimal(type)) return DECIMAL;
    if (type.flags & TypeFlags.Object && checker.getSignaturesOfType(type, SignatureKind.Call).length === 0)
      return definitionOf(type);
    throw new Error(`No JSON has the type ${checker.typeToString(type)}.`);
  }

  function unionOf(types: readonly Type[]): JsonSchema {
    const literals: unknown[] = [];
    const schemas: JsonSchema[] = [];
    for (const type of types) {
      if (isAbsent(type)) continue;
      // An open enum is closed here: the sandbox sends no value that this version does not know.
      if (isOtherString(type) && types.some((other) => other.isStringLiteralType())) continue;
      const schema = schemaOf(type);
      if ('const' in schema) literals.push(schema.const);
      else schemas.push(schema);
    }
    if (literals.length > 0) schemas.unshift({ enum: literals });
    const [only] = schemas;
    return schemas.length === 1 && only !== undefined ? only : { anyOf: schemas };
  }

  function definitionOf(type: Type): JsonSchema {
    let name = names.get(type);
    if (name === undefined) {
      const plain = checker.typeToString(type).replaceAll(/\W+/g, '');
      name = plain in definitions ? `${plain}${names.size}` : plain;
      names.set(type, name);
      definitions[name] = objectOf(type);
    }
    return { $ref: `#/$defs/${name}` };
  }

  function objectOf(type: Type): JsonSchema {
    const properties: Record<string, JsonSchema> = {};
    const required: string[] = [];
    for (const property of checker.getPropertiesOfType(type)) {
      const ofProperty = checker.getTypeOfSymbol(property);
      // `deleted?: void` means that the field is never present.
      if (ofProperty === undefined || isAbsent(ofProperty)) continue;
      properties[property.name] = schemaOf(ofProperty);
      if (!(property.flags & SymbolFlags.Optional)) required.push(property.name);
    }
    const others = indexTypeOf(type, TypeFlags.String);
    const additionalProperties = others === undefined || others.flags & TypeFlags.Never ? false : schemaOf(others);
    return { type: 'object', properties, required, additionalProperties };
  }

  function elementOf(type: Type): Type {
    const element = indexTypeOf(type, TypeFlags.Number);
    if (element === undefined) throw new Error(`${checker.typeToString(type)} has no elements.`);
    return element;
  }

  function indexTypeOf(type: Type, key: TypeFlags): Type | undefined {
    return checker.getIndexInfosOfType(type).find(({ keyType }) => (keyType.flags & key) !== 0)?.valueType;
  }

  return { ...schemaOf(root), $defs: definitions };
}

function isAbsent(type: Type): boolean {
  if (type.isUnionType()) return type.getTypes().every(isAbsent);
  return (type.flags & (TypeFlags.Undefined | TypeFlags.Void)) !== 0;
}

/** The SDK's `OtherString`: `string & Record<never, never>`. */
function isOtherString(type: Type): boolean {
  return type.isIntersectionType() && type.getTypes().some((part) => part.flags & TypeFlags.String);
}

function isDecimal(type: Type): boolean {
  return type.getAliasSymbol()?.name === 'Decimal';
}
