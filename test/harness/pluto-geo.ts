/** A module for others to import: a class with a method, an error, and a function that raises it. */
export const geo = `// A place on the map.
pub class Point {
    x: int

    fn scale(mut self, by: int) {
        self.x = self.x * by
    }
}

pub error TooFar {
    by: int
}

// The origin.
pub fn origin(far: bool) Point {
    if far {
        raise TooFar { by: 1 }
    }
    return Point { x: 0 }
}
`;
