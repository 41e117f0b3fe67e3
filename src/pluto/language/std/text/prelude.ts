/** Declarations that every program has: what reflection gives, and the errors that the language itself raises. */
export const prelude = `pub class FieldInfo {
    name: string
    type_name: string
    offset: int
}

pub class ClassInfo {
    name: string
    fields: [FieldInfo]
}

pub class VariantInfo {
    name: string
    fields: [FieldInfo]
}

pub class EnumInfo {
    name: string
    variants: [VariantInfo]
}

pub enum TypeKind {
    Primitive { name: string }
    Class { info: ClassInfo }
    Enum { info: EnumInfo }
    Array { element_type: string }
    Map { key_type: string, value_type: string }
    Set { element_type: string }
    Nullable { inner_type: string }
    Function { param_types: [string], return_type: string }
    Void
}

pub trait TypeInfo {
    fn type_name() string
    fn kind() TypeKind
}

pub error MathError { message: string }
pub error ChannelClosed { message: string }
pub error ChannelFull { message: string }
pub error ChannelEmpty { message: string }
pub error TaskCancelled { message: string }
pub error NetworkError { message: string }
pub error TimeoutError { millis: int }
pub error ServiceUnavailable { service: string }
pub error RustError { message: string }
`;
