/**
 * Converts a TypeScript interface into JSON Schema, as the payment provider's answers look on the wire. Written for the
 * SDK's declarations; any construct that they do not use is refused.
 */
import ts from 'typescript6';

export interface JsonSchema {
  [keyword: string]: unknown;
}

const OPTIONS: ts.CompilerOptions = {
  strict: true,
  exactOptionalPropertyTypes: true,
  skipLibCheck: true,
  noEmit: true,
  types: [],
  target: ts.ScriptTarget.ES2022,
  module: ts.ModuleKind.NodeNext,
  moduleResolution: ts.ModuleResolutionKind.NodeNext,
};

/** An exact number of the SDK; on the wire it is text. */
const DECIMAL = { type: 'string', pattern: '^-?\\d+(\\.\\d+)?$' };

/**
 * @param file  a TypeScript file
 * @param name  of an interface that it exports
 * @returns a schema whose `$defs` have the names of the types, with a number added where a name repeats
 * @throws Error if the file does not compile, or for a type that has no form in JSON
 */
export function schemaOfInterface(file: string, name: string): JsonSchema {
  const program = ts.createProgram([file], OPTIONS);
  const source = program.getSourceFile(file);
  const checker = program.getTypeChecker();
  const faults = program.getSemanticDiagnostics(source);
  if (faults.length > 0)
    throw new Error(`${file}: ${ts.flattenDiagnosticMessageText(faults[0]?.messageText ?? '', '\n')}`);
  const module = source === undefined ? undefined : checker.getSymbolAtLocation(source);
  const symbol = module?.exports?.get(ts.escapeLeadingUnderscores(name));
  if (symbol === undefined) throw new Error(`${file} does not export ${name}.`);
  return walk(checker, checker.getDeclaredTypeOfSymbol(symbol));
}

function walk(checker: ts.TypeChecker, root: ts.Type): JsonSchema {
  const definitions: Record<string, JsonSchema> = {};
  // Keyed by the type itself, because names repeat (`Checkout.Session`, `BillingPortal.Session`).
  const names = new Map<ts.Type, string>();

  function schemaOf(type: ts.Type): JsonSchema {
    if (type.flags & ts.TypeFlags.Unknown) return {};
    if (type.flags & ts.TypeFlags.Null) return { type: 'null' };
    if (type.flags & ts.TypeFlags.String) return { type: 'string' };
    if (type.flags & ts.TypeFlags.Number) return { type: 'number' };
    if (type.flags & ts.TypeFlags.Boolean) return { type: 'boolean' };
    if (type.isStringLiteral() || type.isNumberLiteral()) return { const: type.value };
    if (type.flags & ts.TypeFlags.BooleanLiteral) return { const: checker.typeToString(type) === 'true' };
    if (type.isUnion()) return unionOf(type.types);
    if (isOtherString(type)) return { type: 'string' };
    if (checker.isArrayType(type)) return { type: 'array', items: schemaOf(elementOf(type)) };
    if (isDecimal(type)) return DECIMAL;
    if (type.flags & ts.TypeFlags.Object && type.getCallSignatures().length === 0) return definitionOf(type);
    throw new Error(`No JSON has the type ${checker.typeToString(type)}.`);
  }

  function unionOf(types: readonly ts.Type[]): JsonSchema {
    const literals: unknown[] = [];
    const schemas: JsonSchema[] = [];
    for (const type of types) {
      if (isAbsent(type)) continue;
      // An open enum is closed here: the sandbox sends no value that this version does not know.
      if (isOtherString(type) && types.some((other) => other.isStringLiteral())) continue;
      const schema = schemaOf(type);
      if ('const' in schema) literals.push(schema.const);
      else schemas.push(schema);
    }
    if (literals.length > 0) schemas.unshift({ enum: literals });
    const [only] = schemas;
    return schemas.length === 1 && only !== undefined ? only : { anyOf: schemas };
  }

  function definitionOf(type: ts.Type): JsonSchema {
    let name = names.get(type);
    if (name === undefined) {
      const plain = checker.typeToString(type).replaceAll(/\W+/g, '');
      name = plain in definitions ? `${plain}${names.size}` : plain;
      names.set(type, name);
      definitions[name] = objectOf(type);
    }
    return { $ref: `#/$defs/${name}` };
  }

  function objectOf(type: ts.Type): JsonSchema {
    const properties: Record<string, JsonSchema> = {};
    const required: string[] = [];
    for (const property of type.getProperties()) {
      const ofProperty = checker.getTypeOfSymbol(property);
      // `deleted?: void` means that the field is never present.
      if (isAbsent(ofProperty)) continue;
      properties[property.name] = schemaOf(ofProperty);
      if (!(property.flags & ts.SymbolFlags.Optional)) required.push(property.name);
    }
    const others = type.getStringIndexType();
    const additionalProperties = others === undefined || others.flags & ts.TypeFlags.Never ? false : schemaOf(others);
    return { type: 'object', properties, required, additionalProperties };
  }

  /** @param type  an array type */
  function elementOf(type: ts.Type): ts.Type {
    const element = type.getNumberIndexType();
    if (element === undefined) throw new Error(`${checker.typeToString(type)} has no elements.`);
    return element;
  }

  return { ...schemaOf(root), $defs: definitions };
}

function isAbsent(type: ts.Type): boolean {
  if (type.isUnion()) return type.types.every(isAbsent);
  return (type.flags & (ts.TypeFlags.Undefined | ts.TypeFlags.Void)) !== 0;
}

/** The SDK's `OtherString`: `string & Record<never, never>`. */
function isOtherString(type: ts.Type): boolean {
  return type.isIntersection() && type.types.some((part) => part.flags & ts.TypeFlags.String);
}

function isDecimal(type: ts.Type): boolean {
  return type.aliasSymbol?.name === 'Decimal';
}
